/* Copies of files, beyond the public functions. */
#ifndef MODFS_CORE_COPY_H
#define MODFS_CORE_COPY_H

#include "directory.h"
#include "file.h"

/* How a file is copied. fresh: this operation created the target's directory, so nothing exists
 * there and nothing is checked. wanted: attributes that the copy is to have; a copy takes those away
 * from which that it has set, and the caller sets the others. progress: called after each block that
 * is read and written here, not by the plugin; NULL: no callback. */
typedef struct copy_terms {
  bool fresh;
  bool created; /* set by the copy: nothing existed there */
  fs_wanted wanted;
  int64_t length; /* of the source, for storage that wants to know it before; -1: it is not told */
  const modfs_copy_progress *progress;
} copy_terms;

/* Like modfs_copy, for a source that is known to be no directory. Returns the number of bytes
 * copied, or -1 when the filesystem made the copy itself. */
int64_t copy_listed(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                    copy_terms *terms, TF_Status *status);

/* Copies an open file to dst. Returns the number of bytes copied. Failures are not located. */
int64_t copy_opened(const modfs_file *from, const modfs_fs *to, const char *dst, copy_terms *terms,
                    TF_Status *status);

/* The same to an entry of an open directory, which is not followed if it is a link and is replaced
 * only by a complete copy; for directories by handle only. */
int64_t copy_to_entry(const modfs_file *from, const fs_directory *to, const char *name,
                      copy_terms *terms, TF_Status *status);

#endif
