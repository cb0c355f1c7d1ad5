/* Operations that a web server does not support. Each slot fails with UNIMPLEMENTED and says why. A host
 * that found the slot empty could not say it, and would try other operations first. */
#ifndef HTTP_REFUSE_H
#define HTTP_REFUSE_H

#include <modfs/filesystem.h>

void http_refuse_writable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status);
void http_refuse_cleanup(TF_WritableFile *file);
void http_refuse_path(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void http_refuse_paths(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status);
void http_refuse_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                    uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                    TF_Status *status);
int http_refuse_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                             TF_Status *status);

#endif
