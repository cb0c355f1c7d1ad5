/* Lists the names of a directory page by page, in constant memory. */
#ifndef S3_LISTING_H
#define S3_LISTING_H

#include "../common/slot/slot.h"
#include "filesystem.h"
#include "name.h"

typedef struct s3_listing s3_listing;

/* Opens a listing of a directory. start: only names with this beginning; NULL or "" for all. NULL on
 * failure, with the codes of get_children. */
s3_listing *s3_listing_open(const TF_Filesystem *filesystem, const s3_name *name, const char *start,
                            TF_Status *status);

/* Returns the next name, each once; NULL at the end and on failure. A name that is both an object and a
 * directory is returned as the object. Names that no path can have ("", "." and "..") are left out.
 * Owns: the listing, until the next call. */
const char *s3_listing_next(s3_listing *self, bool *is_directory, TF_Status *status);

void s3_listing_close(s3_listing *self);

FS_SLOT(get_children) s3_get_children;
EXTENSION_SLOT(open_directory) s3_open_directory;
EXTENSION_SLOT(next_entry) s3_next_entry;
EXTENSION_SLOT(close_directory) s3_close_directory;

#endif
