/* slow: a filesystem that makes one wait, to measure what waiting costs a server: any name is a file
 * of 1,000 bytes, and each read of it takes WAIT_MSEC milliseconds. measure.sh builds it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "modfs/filesystem.h"
#include "modfs/register.h"

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
  nanosleep(&(struct timespec){WAIT_MSEC / 1000, WAIT_MSEC % 1000 * 1000000L}, NULL);
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

TF_CAPI_EXPORT void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  static const TF_FilesystemOps fs = {.init = slow_init,
                                      .cleanup = slow_cleanup,
                                      .new_random_access_file = slow_file_open,
                                      .stat = slow_stat};
  static const TF_RandomAccessFileOps file = {.cleanup = slow_file_cleanup, .read = slow_file_read};

  const modfs_register_tables tables = {.filesystem = &fs, .random_access_file = &file};
  modfs_register_start(info, malloc, free);
  modfs_register_scheme(info, "slow", &tables);
}
