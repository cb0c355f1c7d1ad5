/* The content of a file as memory. */
#include <stdlib.h>

#include "core/base/bytes.h"
#include "file.h"
#include "fs.h"
#include "core/base/probe.h"
#include "core/base/status.h"

typedef struct region {
  const modfs_fs *fs;
  TF_ReadOnlyMemoryRegion handle;
} region;

static void close_region(void *owner, char *data) {
  region *closing = owner;
  (void)data;
  closing->fs->tables.region.cleanup(&closing->handle);
  free(closing);
}

/* Queries address and length once, and probes the first and the last byte. */
static void settle(modfs_bytes *bytes, region *opened, TF_Status *status) {
  const modfs_fs *fs = opened->fs;
  uint64_t length = fs->tables.region.length(&opened->handle);
  const char *data = fs->tables.region.data(&opened->handle);
  if (length > PTRDIFF_MAX)
    fs_breach(fs, status, "a region of %llu bytes", (unsigned long long)length);
  else if (length > 0 && (!data || !probe_ends(data, length)))
    fs_breach(fs, status, "a region of %llu bytes that cannot be read", (unsigned long long)length);
  bytes_fill(bytes, (char *)(size_t)data, (size_t)length, close_region, opened);
}

static modfs_bytes *open_name(const modfs_fs *fs, const char *name, TF_Status *status) {
  region *opened = calloc(1, sizeof *opened);
  modfs_bytes *bytes = bytes_reserve(status);
  if (opened && bytes) {
    opened->fs = fs;
    fs->tables.fs.new_read_only_memory_region_from_file(&fs->handle, name, &opened->handle, status);
  } else {
    status_no_memory(status);
  }
  if (!status_ok(status)) {
    free(opened);
    modfs_bytes_drop(bytes);
    return NULL;
  }
  settle(bytes, opened, status);
  if (status_ok(status)) return bytes;
  modfs_bytes_drop(bytes);
  return NULL;
}

modfs_bytes *modfs_region_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  modfs_bytes *bytes = name ? open_name(fs, name, status) : NULL;
  fs_leave(fs, name, "map", path, status);
  return bytes;
}

static bool is_empty_file(const modfs_fs *fs, const char *name, TF_Status *asking) {
  TF_FileStatistics stats = {-1, 0, false};
  fs_stat(fs, name, &stats, asking);
  return status_ok(asking) && stats.length == 0 && !stats.is_directory;
}

static void free_content(void *owner, char *data) {
  (void)owner;
  free(data);
}

static modfs_bytes *read_name(const modfs_fs *fs, const char *name, const char *path,
                              TF_Status *status) {
  size_t length = 0;
  status_clear(status);
  modfs_file *file = file_open_name(fs, name, path, status);
  char *data = file ? file_read_all(file, 4096, PTRDIFF_MAX, &length, status) : NULL;
  modfs_bytes *bytes = data ? bytes_reserve(status) : NULL;
  if (bytes)
    bytes_fill(bytes, data, length, free_content, NULL);
  else
    free(data);
  modfs_file_close(file);
  return bytes;
}

/* A size of 0 may be wrong, as under /proc: such a file is read instead of mapped. */
modfs_bytes *modfs_map(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  modfs_bytes *bytes = name ? open_name(fs, name, status) : NULL;
  TF_Status *asking = TF_GetCode(status) == TF_INVALID_ARGUMENT && name ? TF_NewStatus() : NULL;
  if (asking && is_empty_file(fs, name, asking)) bytes = read_name(fs, name, path, status);
  TF_DeleteStatus(asking);
  fs_leave(fs, name, "map", path, status);
  return bytes;
}
