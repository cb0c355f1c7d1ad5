/* String lists: built by the core, or copied from a plugin's. */
#ifndef MODFS_CORE_NAMES_H
#define MODFS_CORE_NAMES_H

#include <modfs/modfs.h>

/* Appends a copy of length bytes; false when memory is short. */
bool names_add(modfs_names *names, const char *text, size_t length);

/* Appends a string and takes it over, even on failure. NULL means that memory was short: false. */
bool names_take(modfs_names *names, char *text);

/* Sorts strings by their bytes. */
void names_order(char **items, size_t count);

/* Appends a NULL that is not counted; false when memory is short. */
bool names_end(modfs_names *names);

/* Copies all into an array in the plugin's own memory, as the ABI returns lists, and empties names.
 * Returns the count, or -1 with the status set. */
int names_give(modfs_names *names, void *(*allocate)(size_t), void (*release)(void *),
               char ***entries, TF_Status *status);

#endif
