/* Lists of strings: made here, or copied from what a plugin returned. */
#ifndef MODFS_CORE_NAMES_H
#define MODFS_CORE_NAMES_H

#include <modfs/modfs.h>

/* Appends a copy of length bytes; false when memory is short. */
bool names_add(modfs_names *names, const char *text, size_t length);

/* Appends a string and takes it over, also on failure; NULL counts as memory that was short. */
bool names_take(modfs_names *names, char *text);

/* Sorts strings by their bytes. */
void names_order(char **items, size_t count);

/* Puts a NULL behind the last one, which is not counted; false when memory is short. */
bool names_end(modfs_names *names);

/* Moves all of them into an array of the plugin's own memory, as the ABI returns lists.
 * Returns the count, or -1 with the status set; names is empty afterwards. */
int names_give(modfs_names *names, void *(*allocate)(size_t), void (*release)(void *),
               char ***entries, TF_Status *status);

#endif
