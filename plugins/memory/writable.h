/* Files open for writing: the table's operations.
 *
 * Nothing is buffered: readers see each append at once, unless the file belongs to an
 * open transaction. */
#ifndef MEMORY_WRITABLE_H
#define MEMORY_WRITABLE_H

#include <modfs/extension.h>

void memory_fs_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_WritableFile *file, TF_Status *status);
void memory_fs_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                                   TF_WritableFile *file, TF_Status *status);
void memory_fs_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                           const char *path, uint32_t flags, TF_WritableFile *file,
                           TF_Status *status);
void memory_writable_cleanup(TF_WritableFile *file);
void memory_writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                            TF_Status *status);
int64_t memory_writable_tell(const TF_WritableFile *file, TF_Status *status);
void memory_writable_flush(const TF_WritableFile *file, TF_Status *status);
void memory_writable_sync(const TF_WritableFile *file, TF_Status *status);
void memory_writable_close(const TF_WritableFile *file, TF_Status *status);

#endif
