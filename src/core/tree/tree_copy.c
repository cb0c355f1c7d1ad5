/* Copying a tree, within a filesystem or between two. */
#include <stdlib.h>

#include "core/base/status.h"
#include "tree_attributes.h"
#include "tree_target.h"

static bool copy_enter(tree_worker *worker, tree_node *node) {
  if (!tree_ask_directory(worker, node) || !tree_make_directory(worker, node)) return false;
  tree_count(worker, (modfs_tree_counts){.dirs = 1});
  return !tree_is_target(worker, node);
}

static void copy_link(tree_worker *worker, tree_node *node, const char *name) {
  char *text = tree_read_link(worker, node, 0, name);
  bool done = text && tree_put_link(worker, node, name, text);
  free(text);
  if (done) tree_keep_link(worker, node, name);
  tree_count(worker, (modfs_tree_counts){.files = done});
  tree_report(worker, node, name, 0);
}

static void copy_file(tree_worker *worker, tree_node *node, const char *name, int kind) {
  tree_file file = {.name = name, .kind = kind};
  uint64_t bytes = 0;
  bool done = tree_copy_file(worker, node, &file, &bytes);
  tree_file_fini(&file);
  if (done) tree_count(worker, (modfs_tree_counts){.files = 1, .bytes = bytes});
  tree_report(worker, node, name, bytes);
}

static void copy_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  const modfs_tree *tree = worker->tree;
  bool link = kind == MODFS_KIND_LINK && !tree_is_named(node, name);
  if (link && tree->keeps_links)
    copy_link(worker, node, name);
  else if (!link || tree->options.links != MODFS_LINKS_SKIP)
    copy_file(worker, node, name, kind);
}

static const tree_ops copy_ops = {.name = "copytree",
                                  .at_once = 8,
                                  .enter = copy_enter,
                                  .entry = copy_entry,
                                  .leave = tree_end_directory};

modfs_tree *modfs_tree_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, const modfs_tree_options *options, TF_Status *status) {
  return tree_new_pair(&copy_ops, from, src, to, dst, options, status);
}
