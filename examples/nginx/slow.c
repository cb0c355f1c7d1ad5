/* slow: a filesystem that makes one wait, to measure what waiting costs a server: any name is a file
 * of 1,000 bytes, and each read of it takes WAIT_MSEC milliseconds. measure.sh builds it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "modfs/filesystem.h"

#ifndef WAIT_MSEC
#define WAIT_MSEC 20
#endif

enum { LENGTH = 1000 };

static void slow_file_open(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file,
                           TF_Status *status) {
  (void)fs, (void)path, (void)status;
  file->plugin_file = NULL;
}

static void slow_file_cleanup(TF_RandomAccessFile *file) {
  (void)file;
}

static int64_t slow_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n,
                              char *buffer, TF_Status *status) {
  (void)file;
  nanosleep(&(struct timespec){.tv_nsec = WAIT_MSEC * 1000000L}, NULL);
  size_t left = offset < LENGTH ? LENGTH - (size_t)offset : 0;
  size_t got = n < left ? n : left;
  memset(buffer, 's', got);
  if (got < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "end of file");
  return (int64_t)got;
}

static void slow_stat(const TF_Filesystem *fs, const char *path, TF_FileStatistics *stats,
                      TF_Status *status) {
  (void)fs, (void)path, (void)status;
  *stats = (TF_FileStatistics){.length = LENGTH, .mtime_nsec = 1, .is_directory = false};
}

static void slow_init(TF_Filesystem *fs, TF_Status *status) {
  (void)status;
  fs->plugin_filesystem = NULL;
}

static void slow_cleanup(TF_Filesystem *fs) {
  (void)fs;
}

static void *slow_memory_copy(const void *from, size_t size) {
  void *copy = calloc(1, size);
  if (copy) memcpy(copy, from, size);
  return copy;
}

TF_CAPI_EXPORT void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  static const TF_FilesystemOps fs = {.init = slow_init,
                                      .cleanup = slow_cleanup,
                                      .new_random_access_file = slow_file_open,
                                      .stat = slow_stat};
  static const TF_RandomAccessFileOps file = {.cleanup = slow_file_cleanup, .read = slow_file_read};

  info->plugin_memory_allocate = malloc;
  info->plugin_memory_free = free;
  info->ops = calloc(1, sizeof *info->ops);
  if (!info->ops) return;
  info->num_schemes = 1;
  TF_SetFilesystemVersionMetadata(info->ops);
  info->ops->scheme = slow_memory_copy("slow", sizeof "slow");
  info->ops->filesystem_ops = slow_memory_copy(&fs, sizeof fs);
  info->ops->random_access_file_ops = slow_memory_copy(&file, sizeof file);
}
