/* The headers of a request while it is built. */
#ifndef OBJECTS_HEADERS_H
#define OBJECTS_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

enum { OBJECTS_MOST_HEADERS = 256 };

/* Starts zeroed. */
typedef struct objects_headers {
  char *lines[OBJECTS_MOST_HEADERS + 1]; /* ends in NULL */
  int count;
} objects_headers;

/* Adds a header; false without memory or room. */
__attribute__((format(printf, 2, 3))) bool objects_headers_add(objects_headers *headers,
                                                               const char *format, ...);

/* Adds a header if its value is not "". */
bool objects_headers_add_text(objects_headers *headers, const char *name, const char *value);

/* Adds the lines of a response head that begin with one of the names, which end in NULL. */
bool objects_headers_add_lines(objects_headers *headers, const char *head,
                               const char *const *names);

/* Removes the headers of that name. */
void objects_headers_drop(objects_headers *headers, const char *name);

void objects_headers_end(objects_headers *headers);

#endif
