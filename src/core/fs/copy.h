/* Copies of files, beyond the public functions. */
#ifndef MODFS_CORE_COPY_H
#define MODFS_CORE_COPY_H

#include "file.h"

/* Like modfs_copy, for a source that is known to be no directory. fresh: this operation created the
 * directory of dst, so nothing exists there and nothing is checked. Returns the number of bytes
 * copied, or -1 when the filesystem made the copy itself. */
int64_t copy_listed(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                    bool fresh, TF_Status *status);

/* Copies an open file to dst; fresh as above. Returns the number of bytes copied. Failures are not
 * located. */
int64_t copy_opened(const modfs_file *from, const modfs_fs *to, const char *dst, bool fresh,
                    TF_Status *status);

#endif
