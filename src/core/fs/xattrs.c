/* Extended attributes, as blocks that go from one plugin to the other. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fs.h"
#include "core/base/status.h"

/* The length of the attribute at the start of n bytes, 0 if it is none: it ends inside of them, its
 * name is not empty, and follows the one before. */
static size_t attribute_length(const char *at, size_t n, const char *before) {
  uint32_t value;
  if (n < sizeof value) return 0;
  memcpy(&value, at, sizeof value);
  const char *name = at + sizeof value;
  size_t length = strnlen(name, n - sizeof value), taken = sizeof value + length + 1;
  if (length == 0 || taken > n || value > n - taken) return 0;
  return before && strcmp(before, name) >= 0 ? 0 : taken + value;
}

static bool is_sound(const char *block, size_t size) {
  const char *before = NULL;
  for (size_t at = 0, taken; at < size; at += taken) {
    taken = attribute_length(block + at, size - at, before);
    if (taken == 0) return false;
    before = block + at + sizeof(uint32_t);
  }
  return true;
}

/* A copy of the plugin's block, which is freed. */
static fs_xattrs copy_block(const modfs_fs *fs, char *block, size_t size, TF_Status *status) {
  fs_xattrs copy = {NULL, size};
  if (!block && size > 0)
    fs_breach(fs, status, "get_xattrs returned NULL for %zu bytes", size);
  else if (size > INT32_MAX || !is_sound(block, size))
    fs_breach(fs, status, "get_xattrs returned no sorted list of attributes");
  else if (size > 0 && !(copy.block = malloc(size)))
    status_no_memory(status);
  if (copy.block) memcpy(copy.block, block, size);
  if (!copy.block) copy.size = 0;
  fs->plugin->free(block);
  return copy;
}

fs_xattrs fs_get_xattrs(const modfs_fs *fs, const modfs_directory *in, const char *name,
                        TF_Status *status) {
  size_t size = 0;
  char *block = fs->extension.get_xattrs(&fs->handle, in, name, &size, status);
  return status_ok(status) ? copy_block(fs, block, size, status) : (fs_xattrs){NULL, 0};
}

void fs_set_xattrs(const modfs_fs *fs, const modfs_directory *in, const char *name,
                   const fs_xattrs *xattrs, TF_Status *status) {
  fs->extension.set_xattrs(&fs->handle, in, name, xattrs->block, xattrs->size, status);
}
