/* Removes characters that XML does not allow from responses. Servers echo keys with control characters
 * ("&#x07;") even where they encode the keys that they list. Each becomes a question mark. */
#ifndef S3_CLEAN_H
#define S3_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { S3_CLEAN_MOST = 12 };

/* Holds back bytes that may be the start of such a character. Starts zeroed. */
typedef struct s3_clean {
  char held[S3_CLEAN_MOST];
  size_t length;
  bool altered; /* a character was replaced */
} s3_clean;

/* Takes one byte; writes the bytes that can be passed on and returns their number. */
size_t s3_clean_take(s3_clean *self, char c, char passed[S3_CLEAN_MOST]);

#endif
