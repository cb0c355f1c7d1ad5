/* Removes characters that XML does not allow from responses. Servers echo keys with control characters
 * ("&#x07;") even where they encode the keys that they list. Each becomes a question mark. */
#ifndef XML_CLEAN_H
#define XML_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { XML_CLEAN_MOST = 12 };

/* Holds back bytes that may be the start of such a character. Starts zeroed. */
typedef struct xml_clean {
  char held[XML_CLEAN_MOST];
  size_t length;
  bool altered; /* a character was replaced */
} xml_clean;

/* How many of these bytes, from the first on, can be passed on as they are. */
size_t xml_clean_pass(const xml_clean *self, const char *bytes, size_t n);

/* Takes one byte; writes the bytes that can be passed on and returns their number. */
size_t xml_clean_take(xml_clean *self, char c, char passed[XML_CLEAN_MOST]);

#endif
