#include "refuse.h"

#include "error.h"

static void refuse(TF_Status *status) {
  archive_fail(status, TF_UNIMPLEMENTED, "an archive is read-only");
}

void archive_refuse_file(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                         TF_Status *status) {
  (void)filesystem, (void)path, (void)file;
  refuse(status);
}

void archive_refuse_path(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem, (void)path;
  refuse(status);
}

void archive_refuse_paths(const TF_Filesystem *filesystem, const char *src, const char *dst,
                          TF_Status *status) {
  (void)filesystem, (void)src, (void)dst;
  refuse(status);
}

void archive_refuse_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                       uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                       TF_Status *status) {
  (void)filesystem, (void)path;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  refuse(status);
}
