/* Files opened for writing. */
#ifndef S3_WRITABLE_H
#define S3_WRITABLE_H

#include <modfs/extension.h>
#include <modfs/filesystem.h>

void s3_new_writable_file(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                          TF_Status *status);
/* Opens by flags, see extension.h. ATOMIC: cleanup without close keeps the old object. NEW: the name is in
 * a directory that was created a moment ago. */
void s3_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                    const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status);
void s3_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                            TF_WritableFile *file, TF_Status *status);
void s3_writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                        TF_Status *status);
int64_t s3_writable_tell(const TF_WritableFile *file, TF_Status *status);
void s3_writable_flush(const TF_WritableFile *file, TF_Status *status);
void s3_writable_sync(const TF_WritableFile *file, TF_Status *status);
void s3_writable_close(const TF_WritableFile *file, TF_Status *status);
void s3_writable_cleanup(TF_WritableFile *file);

#endif
