/* Reading memory that may not be there, as a plugin's pointers may not. */
#ifndef MODFS_CORE_PROBE_H
#define MODFS_CORE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Copies n bytes from source; false, and never a signal, when not all of them are readable. */
bool probe_copy(void *destination, const void *source, size_t n);

/* Copies a string of fewer than size bytes with its NUL; false when it is unreadable or longer. */
bool probe_string(char *destination, size_t size, const char *source);

/* Pages that were found readable, for many small looks in a row; starts zeroed. */
typedef struct probe_pages {
  size_t known[64]; /* number + 1 */
} probe_pages;

/* Whether the byte at a place can be read. */
bool probe_place(probe_pages *pages, const void *place);

/* The length of a string, looked at page by page; false when it runs into memory that is not there. */
bool probe_length(probe_pages *pages, const char *text, size_t *length);

#endif
