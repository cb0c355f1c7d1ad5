/* Copies of files, beyond the public functions. */
#ifndef MODFS_CORE_COPY_H
#define MODFS_CORE_COPY_H

#include "file.h"

/* As modfs_copy, of what is known to be no directory. fresh: the directory above dst is of our own
 * making, so that nothing stands there and nobody need be asked. Returns how many bytes went, or -1
 * where the filesystem copied by itself. */
int64_t copy_listed(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                    bool fresh, TF_Status *status);

/* Copies an open file to dst; the same of fresh. Returns how many bytes went. Nothing is located. */
int64_t copy_opened(const modfs_file *from, const modfs_fs *to, const char *dst, bool fresh,
                    TF_Status *status);

#endif
