/* Files opened for writing: unbuffered, because hosts buffer small writes. */
#ifndef POSIX_WRITABLE_H
#define POSIX_WRITABLE_H

#include <modfs/extension.h>
#include <modfs/filesystem.h>

void posix_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                             TF_WritableFile *file, TF_Status *status);
void posix_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status);
void posix_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status);
void posix_writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                           TF_Status *status);
int64_t posix_writable_tell(const TF_WritableFile *file, TF_Status *status);
void posix_writable_flush(const TF_WritableFile *file, TF_Status *status);
void posix_writable_sync(const TF_WritableFile *file, TF_Status *status);
void posix_writable_close(const TF_WritableFile *file, TF_Status *status);
void posix_writable_cleanup(TF_WritableFile *file);

#endif
