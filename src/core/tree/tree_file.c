/* Copying one file of a tree: from one open directory into another, or by paths where a side has no
 * handles, or where the user named the file. */
#include <stdlib.h>
#include <string.h>

#include "core/fs/copy.h"
#include "core/base/status.h"
#include "tree_target.h"

/* Notes why a copy failed; located: the status has operation and path already. */
static void note_copy(tree_worker *worker, tree_node *node, const char *name, bool located) {
  const char *src = tree_path_of(worker, 0, node, name), *dst = tree_path_of(worker, 1, node, name);
  if (!src || !dst) return;
  char *both = located ? NULL : malloc(strlen(src) + strlen(dst) + 5);
  if (both) stpcpy(stpcpy(stpcpy(both, src), " to "), dst);
  if (!located) status_locate(worker->status, worker->tree->ops->name, both ? both : src);
  free(both);
  tree_note(worker, node, src);
}

/* A link at the target, where links can be detected, must not be written through. */
static bool check_place(const fs_directory *to, const char *name, TF_Status *status) {
  modfs_attributes attributes;
  directory_attributes(to, name, &attributes, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) status_clear(status);
  if (status_ok(status) && attributes.kind == MODFS_KIND_LINK)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the target is a symbolic link, which is not followed");
  return status_ok(status);
}

/* The same for a target that is written by its path, unless the user named it. */
static bool check_path(tree_worker *worker, tree_node *node, const char *name) {
  bool is_named = tree_is_named(node, name);
  if (is_named || node->fresh || !worker->tree->sides[1].fs->tells_links) return true;
  const fs_directory *to = tree_open(worker, node, 1);
  return to && check_place(to, name, worker->status);
}

static void copy_paths(tree_worker *worker, tree_node *node, const char *name, uint64_t *bytes) {
  const tree_side *sides = worker->tree->sides;
  *bytes = 0;
  if (!check_path(worker, node, name)) {
    note_copy(worker, node, name, false);
    return;
  }
  const char *src = tree_path_of(worker, 0, node, name), *dst = tree_path_of(worker, 1, node, name);
  if (!src || !dst) return;
  int64_t size = copy_listed(sides[0].fs, src, sides[1].fs, dst, node->fresh, worker->status);
  /* The source's size: in a transaction the copy is not visible yet. */
  if (size < 0 && status_ok(worker->status))
    size = modfs_fs_get_file_size(sides[0].fs, src, worker->status);
  if (!status_ok(worker->status)) note_copy(worker, node, name, true);
  if (size > 0) *bytes = (uint64_t)size;
}

modfs_file *tree_open_file(tree_worker *worker, int side, tree_node *node, const char *name,
                           int kind) {
  bool by_path = tree_is_named(node, name) || kind == MODFS_KIND_LINK;
  const fs_directory *self = by_path ? NULL : tree_open(worker, node, side);
  const char *path = tree_path_of(worker, side, node, name);
  if (!path || (!self && !by_path)) return NULL;
  if (self) return directory_reader(self, name, path, worker->status);
  modfs_file *file = modfs_file_open(worker->tree->sides[side].fs, path, worker->status);
  status_rename(worker->status, worker->tree->ops->name);
  return file;
}

static uint64_t write_target(tree_worker *worker, tree_node *node, const char *name,
                             const modfs_file *file) {
  const modfs_fs *fs = worker->tree->sides[1].fs;
  if (directory_is_path(fs)) {
    if (!check_path(worker, node, name)) return 0;
    const char *dst = tree_path_of(worker, 1, node, name);
    return dst ? (uint64_t)copy_opened(file, fs, dst, node->fresh, worker->status) : 0;
  }
  const fs_directory *to = tree_open(worker, node, 1);
  if (!to || (!node->fresh && !check_place(to, name, worker->status))) return 0;
  return (uint64_t)copy_to_entry(file, to, name, worker->status);
}

/* Copies from one open directory into the other. */
static void copy_entry(tree_worker *worker, tree_node *node, const char *name, int kind,
                       uint64_t *bytes) {
  const fs_directory *from = tree_open(worker, node, 0),
                     *to = from ? tree_open(worker, node, 1) : NULL;
  if (to && kind != MODFS_KIND_LINK && directory_can_copy(from, to)) {
    modfs_attributes attributes = {.length = 0};
    directory_copy(from, to, name, worker->status);
    if (status_ok(worker->status)) directory_attributes(from, name, &attributes, worker->status);
    *bytes = (uint64_t)attributes.length;
  } else if (to) {
    modfs_file *file = tree_open_file(worker, 0, node, name, kind);
    if (file) *bytes = write_target(worker, node, name, file);
    modfs_file_close(file);
  }
  if (!status_ok(worker->status)) note_copy(worker, node, name, false);
}

static bool leads_to_directory(tree_worker *worker, const tree_node *node, const char *name) {
  const char *src = tree_path_of(worker, 0, node, name);
  bool is_directory = src && modfs_fs_is_directory(worker->tree->sides[0].fs, src, worker->status);
  return is_directory && status_ok(worker->status);
}

bool tree_copy_file(tree_worker *worker, tree_node *node, const char *name, int kind,
                    uint64_t *bytes) {
  const tree_side *sides = worker->tree->sides;
  bool is_named = tree_is_named(node, name);
  if (kind == MODFS_KIND_LINK && !is_named && leads_to_directory(worker, node, name)) {
    tree_refuse(worker, node, 0, name, "symbolic link to a directory, which is not followed");
    return false;
  }
  status_clear(worker->status);
  if (is_named || (directory_is_path(sides[0].fs) && directory_is_path(sides[1].fs)))
    copy_paths(worker, node, name, bytes);
  else
    copy_entry(worker, node, name, kind, bytes);
  return status_ok(worker->status);
}
