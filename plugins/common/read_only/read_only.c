#include "read_only.h"

static const char *because = "read-only";

void read_only_because(const char *reason) {
  because = reason;
}

static void refuse(TF_Status *status) {
  TF_SetStatus(status, TF_UNIMPLEMENTED, because);
}

void read_only_file(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                    TF_Status *status) {
  (void)filesystem, (void)path, (void)file;
  refuse(status);
}

void read_only_path(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem, (void)path;
  refuse(status);
}

void read_only_paths(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status) {
  (void)filesystem, (void)src, (void)dst;
  refuse(status);
}

void read_only_tree(const TF_Filesystem *filesystem, const char *path, uint64_t *undeleted_files,
                    uint64_t *undeleted_dirs, TF_Status *status) {
  (void)filesystem, (void)path;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  refuse(status);
}

static void writable_cleanup(TF_WritableFile *file) {
  (void)file;
}

const TF_WritableFileOps read_only_writable_ops = {.cleanup = writable_cleanup};
