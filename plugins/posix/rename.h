/* Renames files. */
#ifndef POSIX_RENAME_H
#define POSIX_RENAME_H

#include <modfs/filesystem.h>

void posix_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status);

#endif
