/* String lists: built by the core, or copied from a plugin's. */
#ifndef MODFS_CORE_STRING_LIST_H
#define MODFS_CORE_STRING_LIST_H

#include <modfs/modfs.h>

/* Appends a copy of length bytes; false when memory is short. */
bool string_list_add(modfs_string_list *names, const char *text, size_t length);

/* Room for strings in the list's own memory: at least so many bytes, aligned as by malloc; NULL when
 * memory is short. What was stored there is appended string by string, and then that
 * much of the room is used up. A list is filled so, and by string_list_pack, or by the other functions. */
char *string_list_room(modfs_string_list *names, size_t least, size_t *size);
bool string_list_keep(modfs_string_list *names, char *text);
void string_list_use(modfs_string_list *names, size_t used);

/* Appends a copy of two strings in a row, in the list's own memory; false when memory is short. */
bool string_list_pack(modfs_string_list *names, const char *text, const char *ending);

/* Appends a string and takes it over, even on failure. NULL means that memory was short: false. */
bool string_list_take(modfs_string_list *names, char *text);

/* Sorts strings by their bytes. */
void string_list_order(char **items, size_t count);

/* Sorts a list, and keeps one of strings that are equal. */
void string_list_unite(modfs_string_list *names);

/* Appends a NULL that is not counted, and gives each string memory of its own; false when memory is
 * short. */
bool string_list_end(modfs_string_list *names);

/* Copies all into an array in the plugin's own memory, as the ABI returns lists, and empties names.
 * Returns the count, or -1 with the status set. */
int string_list_give(modfs_string_list *names, void *(*allocate)(size_t), void (*release)(void *),
                     char ***entries, TF_Status *status);

#endif
