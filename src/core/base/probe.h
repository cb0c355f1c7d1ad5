/* Reading memory that may be unmapped, as a plugin's pointers may be invalid. */
#ifndef MODFS_CORE_PROBE_H
#define MODFS_CORE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Copies n bytes from source; false, never a signal, when some of them are unreadable. */
bool probe_copy(void *destination, const void *source, size_t n);

/* Whether the first and the last of n bytes, one or more, are readable. */
bool probe_ends(const void *block, size_t n);

/* Copies a string of fewer than size bytes with its NUL; false when it is unreadable or longer. */
bool probe_string(char *destination, size_t size, const char *source);

/* A cache of pages found readable, for many small probes in a row; to be zeroed first. */
typedef struct probe_pages {
  size_t known[64]; /* page number + 1 */
} probe_pages;

/* Whether the byte at an address is readable. */
bool probe_place(probe_pages *pages, const void *place);

/* The length of a string, probed page by page; false when it runs into unreadable memory. */
bool probe_length(probe_pages *pages, const char *text, size_t *length);

#endif
