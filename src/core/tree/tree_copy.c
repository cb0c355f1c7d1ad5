/* Copying a tree, within a filesystem or between two. */
#include "core/base/status.h"
#include "tree_target.h"

static bool copy_enter(tree_worker *worker, tree_node *node) {
  if (!tree_make_directory(worker, node)) return false;
  tree_count(worker, (modfs_tree_counts){.dirs = 1});
  return !tree_is_target(worker, node);
}

static void copy_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  uint64_t bytes = 0;
  bool done = tree_copy_file(worker, node, name, kind, &bytes);
  tree_count(worker, (modfs_tree_counts){.files = done, .bytes = bytes});
  tree_report(worker, node, name, bytes);
}

static const tree_ops copy_ops = {
    .name = "copytree", .at_once = 8, .enter = copy_enter, .entry = copy_entry};

modfs_tree *modfs_tree_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, const modfs_tree_options *options, TF_Status *status) {
  return tree_new_pair(&copy_ops, from, src, to, dst, options, status);
}
