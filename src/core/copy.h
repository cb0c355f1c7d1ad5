/* Copies of files, beyond the public functions. */
#ifndef MODFS_CORE_COPY_H
#define MODFS_CORE_COPY_H

#include "fs.h"

/* As modfs_copy, of what is no directory, to where nothing stands: nobody need be asked, and what
 * could not be finished is deleted again. */
void copy_fresh(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                TF_Status *status);

#endif
