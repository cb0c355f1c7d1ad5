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
  const char *block = xattrs->size > 0 ? xattrs->block : NULL;
  fs->extension.set_xattrs(&fs->handle, in, name, block, xattrs->size, status);
}

bool fs_same_xattrs(const fs_xattrs *a, const fs_xattrs *b) {
  return a->size == b->size && (a->size == 0 || memcmp(a->block, b->block, a->size) == 0);
}

static bool is_of_object(const char *name) {
  return strncmp(name, "object.", 7) == 0;
}

static bool has_of_object(const fs_xattrs *xattrs) {
  fs_xattr each;
  for (size_t at = 0; fs_next_xattr(xattrs, &at, &each);)
    if (is_of_object(each.name)) return true;
  return false;
}

static void drop_of_object(fs_xattrs *xattrs) {
  fs_xattr each;
  size_t kept = 0, from = 0;
  for (size_t at = 0; fs_next_xattr(xattrs, &at, &each); from = at) {
    if (is_of_object(each.name)) continue;
    memmove(xattrs->block + kept, xattrs->block + from, at - from);
    kept += at - from;
  }
  xattrs->size = kept;
}

void fs_pair_xattrs(fs_xattrs *a, fs_xattrs *b) {
  if (has_of_object(a) && has_of_object(b)) return;
  drop_of_object(a);
  drop_of_object(b);
}

/* Single ones, at a path ------------------------------------------------------- */

bool fs_next_xattr(const fs_xattrs *xattrs, size_t *at, fs_xattr *found) {
  if (*at >= xattrs->size) return false;
  const char *start = xattrs->block + *at;
  memcpy(&found->length, start, sizeof found->length);
  found->name = start + sizeof found->length;
  found->value = found->name + strlen(found->name) + 1;
  *at = (size_t)(found->value - xattrs->block) + found->length;
  return true;
}

fs_xattrs fs_path_xattrs(const modfs_fs *fs, const char *path, TF_Status *status) {
  fs_xattrs xattrs = {NULL, 0};
  const char *name = fs_enter(fs, path, status);
  if (name) xattrs = fs_get_xattrs(fs, NULL, name, status);
  fs_leave(fs, name, "xattrs", path, status);
  return xattrs;
}

static void add(fs_xattrs *to, const fs_xattr *xattr) {
  size_t name = strlen(xattr->name) + 1;
  char *at = to->block + to->size;
  memcpy(at, &xattr->length, sizeof xattr->length);
  memcpy(at + sizeof xattr->length, xattr->name, name);
  memcpy(at + sizeof xattr->length + name, xattr->value, xattr->length);
  to->size += sizeof xattr->length + name + xattr->length;
}

/* A block of them with the wanted one, at its place; NULL without memory. */
static fs_xattrs merge(const fs_xattrs *there, const fs_xattr *wanted) {
  size_t more = sizeof wanted->length + strlen(wanted->name) + 1 + wanted->length;
  fs_xattrs made = {malloc(there->size + more), 0};
  const fs_xattr *left = wanted->value ? wanted : NULL;
  fs_xattr each;
  for (size_t at = 0; made.block && fs_next_xattr(there, &at, &each);) {
    int order = strcmp(wanted->name, each.name);
    if (left && order <= 0) {
      add(&made, left);
      left = NULL;
    }
    if (order != 0) add(&made, &each);
  }
  if (made.block && left) add(&made, left);
  return made;
}

static void replace(const modfs_fs *fs, const char *name, const fs_xattrs *there,
                    const fs_xattr *wanted, TF_Status *status) {
  fs_xattrs made = merge(there, wanted);
  if (!made.block)
    status_no_memory(status);
  else if (!fs_same_xattrs(there, &made))
    fs_set_xattrs(fs, NULL, name, &made, status);
  free(made.block);
}

static void change(const modfs_fs *fs, const char *name, const fs_xattr *wanted,
                   TF_Status *status) {
  fs_xattrs there = fs_get_xattrs(fs, NULL, name, status);
  if (status_ok(status)) replace(fs, name, &there, wanted, status);
  free(there.block);
}

/* The last one of an object stays where it is only missing in the block; it goes where it is empty. */
static void remove_last(const modfs_fs *fs, const char *name, const char *last, TF_Status *status) {
  fs_xattrs there = fs_get_xattrs(fs, NULL, name, status);
  fs_xattr each;
  for (size_t at = 0; fs_next_xattr(&there, &at, &each);) {
    if (strcmp(each.name, last) != 0) continue;
    replace(fs, name, &there, &(fs_xattr){.name = last, .value = ""}, status);
    break;
  }
  free(there.block);
}

void fs_change_xattr(const modfs_fs *fs, const char *path, const fs_xattr *wanted,
                     TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name && !*wanted->name)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the name of the attribute is empty");
  else if (name)
    change(fs, name, wanted, status);
  if (name && status_ok(status) && !wanted->value && is_of_object(wanted->name))
    remove_last(fs, name, wanted->name, status);
  fs_leave(fs, name, "setxattr", path, status);
}
