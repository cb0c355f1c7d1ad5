/* Files for reading, as the copy and the defaults open them. */
#ifndef MODFS_CORE_FILE_H
#define MODFS_CORE_FILE_H

#include "fs.h"

/* Opens a name that is translated already; shown is what the file is called. */
modfs_file *file_open_name(const modfs_fs *fs, const char *name, const char *shown,
                           TF_Status *status);

/* As modfs_file_read, without clearing before and locating after. */
int64_t file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                  TF_Status *status);

#endif
