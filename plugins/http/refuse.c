#include "refuse.h"

static void refuse(TF_Status *status) {
  TF_SetStatus(status, TF_UNIMPLEMENTED,
               "http is read-only: nothing can be written, created or deleted");
}

void http_refuse_writable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status) {
  (void)filesystem, (void)path, (void)file;
  refuse(status);
}

/* Required by hosts wherever a slot opens such files. */
void http_refuse_cleanup(TF_WritableFile *file) {
  (void)file;
}

void http_refuse_path(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem, (void)path;
  refuse(status);
}

void http_refuse_paths(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status) {
  (void)filesystem, (void)src, (void)dst;
  refuse(status);
}

void http_refuse_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                    uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                    TF_Status *status) {
  (void)filesystem, (void)path;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  refuse(status);
}

int http_refuse_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                             TF_Status *status) {
  (void)filesystem, (void)path, (void)entries;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "http does not support listing directories");
  return -1;
}
