/* Bytes that live as long as somebody holds them: a plugin's regions, and blocks of our own. */
#include <stdatomic.h>
#include <stdlib.h>

#include "fs.h"
#include "probe.h"
#include "status.h"

struct modfs_bytes {
  atomic_size_t references;
  const modfs_fs *fs; /* NULL: the bytes are our own */
  TF_ReadOnlyMemoryRegion handle;
  char *data;
  size_t length;
};

static modfs_bytes *new_bytes(const modfs_fs *fs, TF_Status *status) {
  modfs_bytes *bytes = calloc(1, sizeof *bytes);
  if (!bytes) {
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&bytes->references, 1);
  bytes->fs = fs;
  return bytes;
}

modfs_bytes *modfs_bytes_new(size_t length, TF_Status *status) {
  status_clear(status);
  modfs_bytes *bytes = new_bytes(NULL, status);
  if (!bytes) return NULL;
  bytes->length = length;
  bytes->data = calloc(length > 0 ? length : 1, 1);
  if (bytes->data) return bytes;
  free(bytes);
  modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "no memory for %zu bytes", length);
  return NULL;
}

/* Asks once and keeps the answer, after a look at the first and the last byte. */
static void settle(modfs_bytes *region, TF_Status *status) {
  const TF_ReadOnlyMemoryRegionOps *ops = &region->fs->tables.region;
  uint64_t length = ops->length(&region->handle);
  const char *data = ops->data(&region->handle);
  char byte;
  if (length > PTRDIFF_MAX)
    fs_breach(region->fs, status, "a region of %llu bytes", (unsigned long long)length);
  else if (length > 0 &&
           (!data || !probe_copy(&byte, data, 1) || !probe_copy(&byte, data + (length - 1), 1)))
    fs_breach(region->fs, status, "a region of %llu bytes that cannot be read",
              (unsigned long long)length);
  region->data = (char *)(size_t)data;
  region->length = (size_t)length;
}

static modfs_bytes *open_name(const modfs_fs *fs, const char *name, TF_Status *status) {
  modfs_bytes *region = new_bytes(fs, status);
  if (!region) return NULL;
  fs->tables.fs.new_read_only_memory_region_from_file(&fs->handle, name, &region->handle, status);
  if (!status_ok(status)) {
    free(region);
    return NULL;
  }
  settle(region, status);
  if (status_ok(status)) return region;
  modfs_bytes_drop(region);
  return NULL;
}

modfs_bytes *modfs_region_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  char *name = fs_enter(fs, path, status);
  modfs_bytes *region = name ? open_name(fs, name, status) : NULL;
  fs_leave(fs, name, "map", path, status);
  return region;
}

static bool is_empty_file(const modfs_fs *fs, const char *name, TF_Status *asking) {
  TF_FileStatistics stats = {-1, 0, false};
  status_clear(asking);
  fs_stat(fs, name, &stats, asking);
  return status_ok(asking) && stats.length == 0 && !stats.is_directory;
}

modfs_bytes *modfs_map(const modfs_fs *fs, const char *path, TF_Status *status) {
  char *name = fs_enter(fs, path, status);
  modfs_bytes *region = name ? open_name(fs, name, status) : NULL;
  TF_Status *asking = TF_GetCode(status) == TF_INVALID_ARGUMENT && name ? TF_NewStatus() : NULL;
  if (asking && is_empty_file(fs, name, asking)) region = modfs_bytes_new(0, status);
  TF_DeleteStatus(asking);
  fs_leave(fs, name, "map", path, status);
  return region;
}

modfs_bytes *modfs_bytes_hold(modfs_bytes *bytes) {
  atomic_fetch_add_explicit(&bytes->references, 1, memory_order_relaxed);
  return bytes;
}

void modfs_bytes_drop(modfs_bytes *bytes) {
  if (!bytes || atomic_fetch_sub_explicit(&bytes->references, 1, memory_order_acq_rel) > 1) return;
  if (bytes->fs)
    bytes->fs->tables.region.cleanup(&bytes->handle);
  else
    free(bytes->data);
  free(bytes);
}

char *modfs_bytes_data(const modfs_bytes *bytes) {
  return bytes->data;
}

size_t modfs_bytes_length(const modfs_bytes *bytes) {
  return bytes->length;
}
