/* String lists: built by the core, or copied from a plugin's. */
#ifndef MODFS_CORE_STRING_LIST_H
#define MODFS_CORE_STRING_LIST_H

#include <modfs/modfs.h>

/* Appends a copy of length bytes; false when memory is short. */
bool string_list_add(modfs_string_list *names, const char *text, size_t length);

/* Appends a string and takes it over, even on failure. NULL means that memory was short: false. */
bool string_list_take(modfs_string_list *names, char *text);

/* Sorts strings by their bytes. */
void string_list_order(char **items, size_t count);

/* Appends a NULL that is not counted; false when memory is short. */
bool string_list_end(modfs_string_list *names);

/* Copies all into an array in the plugin's own memory, as the ABI returns lists, and empties names.
 * Returns the count, or -1 with the status set. */
int string_list_give(modfs_string_list *names, void *(*allocate)(size_t), void (*release)(void *),
                     char ***entries, TF_Status *status);

#endif
