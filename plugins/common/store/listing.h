/* Lists the names of a directory page by page, in constant memory. */
#ifndef STORE_LISTING_H
#define STORE_LISTING_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"

typedef struct store_listing store_listing;

/* Opens a listing of a directory. start: only names with this beginning; NULL or "" for all. NULL on
 * failure, with the codes of get_children. */
store_listing *store_listing_open(const TF_Filesystem *filesystem, const objects_name *name,
                                  const char *start, TF_Status *status);

/* Returns the next name, each once; NULL at the end and on failure. A name that is both an object and a
 * directory is returned as the object. Names that no path can have ("", "." and "..") are left out.
 * Owns: the listing, until the next call. */
const char *store_listing_next(store_listing *self, bool *is_directory, TF_Status *status);

void store_listing_close(store_listing *self);

FS_SLOT(get_children) store_get_children;
EXTENSION_SLOT(open_directory) store_open_directory;
EXTENSION_SLOT(next_entry) store_next_entry;
EXTENSION_SLOT(close_directory) store_close_directory;

#endif
