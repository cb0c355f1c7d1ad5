/* Deleting a tree entry by entry: on any filesystem, with several deletions in flight. Where a
 * filesystem deletes trees itself, its own function is faster. */
#include "tree_delete.h"

#include <stdlib.h>

#include "core/base/status.h"

/* A file that no longer exists counts as deleted. */
static bool is_gone(TF_Status *status) {
  return status_ok(status) || TF_GetCode(status) == TF_NOT_FOUND;
}

static void delete_file(tree_worker *worker, tree_node *node, const char *name) {
  const tree_side *side = &worker->tree->sides[0];
  status_clear(worker->status);
  if (worker->tree->options.dry_run) return;
  if (tree_is_named(node, name)) {
    modfs_fs_delete_file(side->fs, side->root, worker->status);
  } else {
    const fs_directory *self = tree_open(worker, node, 0);
    if (self) directory_delete(self, name, false, worker->status);
  }
}

static void delete_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  (void)kind;
  delete_file(worker, node, name);
  bool done = is_gone(worker->status);
  if (!done) tree_fail(worker, node, 0, name);
  tree_count(worker, (modfs_tree_counts){.files = done, .left_files = !done});
  tree_report(worker, node, name, 1);
}

/* Where links cannot be detected, an apparent directory may be one. */
static bool delete_enter(tree_worker *worker, tree_node *node) {
  bool dry = worker->tree->options.dry_run;
  const fs_directory *above = node->parent && !dry ? tree_open(worker, node->parent, 0) : NULL;
  if (!above || !directory_delete_link(above, node->name, worker->status)) return true;
  node->gone = true;
  tree_count(worker, (modfs_tree_counts){.files = 1});
  return false;
}

/* Deletes the root by its handle where a link inside it led to it, which is gone now. */
static void delete_unreachable(tree_worker *worker, tree_node *node) {
  const tree_side *side = &worker->tree->sides[0];
  const fs_directory *self = directory_is_path(side->fs) ? NULL : tree_open(worker, node, 0);
  char *name = self ? modfs_path_basename(side->root) : NULL;
  uint64_t device, inode;
  modfs_attributes there;
  fs_directory above;
  if (name) directory_identity(self, &device, &inode, worker->status);
  if (name && status_ok(worker->status)) {
    directory_open_below(self, "..", &above, worker->status);
    bool opened = status_ok(worker->status);
    if (opened) directory_attributes(&above, name, &there, worker->status);
    if (status_ok(worker->status) && there.device == device && there.inode == inode)
      directory_delete(&above, name, true, worker->status);
    if (opened) directory_close(&above);
  }
  free(name);
}

static void delete_directory(tree_worker *worker, tree_node *node) {
  const tree_side *side = &worker->tree->sides[0];
  status_clear(worker->status);
  if (worker->tree->options.dry_run) return;
  if (node->parent) {
    const fs_directory *above = tree_open(worker, node->parent, 0);
    if (above) directory_delete(above, node->name, true, worker->status);
  } else if (side->above) {
    directory_delete(side->above, side->name, true, worker->status);
  } else {
    modfs_fs_delete_dir(side->fs, side->root, worker->status);
    if (TF_GetCode(worker->status) == TF_NOT_FOUND) delete_unreachable(worker, node);
  }
}

static void delete_leave(tree_worker *worker, tree_node *node) {
  bool done = false;
  if (node->gone || node->kept) return;
  if (!node->spoilt) {
    delete_directory(worker, node);
    done = is_gone(worker->status);
    if (!done) tree_fail(worker, node, 0, "");
  }
  tree_count(worker, (modfs_tree_counts){.dirs = done, .left_dirs = !done});
}

static const tree_ops delete_ops = {.name = "rmtree",
                                    .may_vanish = true,
                                    .empties = true,
                                    .at_once = 8,
                                    .enter = delete_enter,
                                    .entry = delete_entry,
                                    .leave = delete_leave};

modfs_tree *modfs_tree_delete(const modfs_fs *fs, const char *path,
                              const modfs_tree_options *options, TF_Status *status) {
  modfs_attributes attributes;
  modfs_fs_lstat(fs, path, &attributes, status);
  status_rename(status, "stat");
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(&delete_ops, fs, path, NULL, NULL, options, status);
  if (tree && options->progress)
    tree->counts.total = tree->total_files =
        tree_measured(fs, path, options->threads, options->choice, TREE_FILES_AHEAD).files;
  if (tree && attributes.kind != MODFS_KIND_DIRECTORY) tree_is_entry(tree, attributes.kind);
  if (tree) tree_expect(tree, &attributes);
  return tree;
}

modfs_tree *tree_delete_below(const fs_directory *above, const char *name, const char *shown,
                              TF_Status *status) {
  return tree_new_below(&delete_ops, above, name, shown, status);
}
