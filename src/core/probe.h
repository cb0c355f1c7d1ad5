/* Reading memory that may not be there, as a plugin's pointers may not. */
#ifndef MODFS_CORE_PROBE_H
#define MODFS_CORE_PROBE_H

#include <stdbool.h>
#include <stddef.h>

/* Copies n bytes from source; false, and never a signal, when not all of them are readable. */
bool probe_copy(void *destination, const void *source, size_t n);

/* Copies a string of fewer than size bytes with its NUL; false when it is unreadable or longer. */
bool probe_string(char *destination, size_t size, const char *source);

#endif
