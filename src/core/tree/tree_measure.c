/* Counting the files, directories and bytes of a tree. */
#include "core/base/status.h"
#include "tree_delete.h"

static void measure(tree_worker *worker, tree_node *node, const char *name,
                    modfs_attributes *attributes) {
  if (tree_is_named(node, name)) {
    const tree_side *side = &worker->tree->sides[0];
    modfs_fs_lstat(side->fs, side->root, attributes, worker->status);
  } else {
    const fs_directory *self = tree_open(worker, node, 0);
    if (self) directory_attributes(self, name, attributes, worker->status);
  }
}

static void measure_entry(tree_worker *worker, tree_node *node, const char *name, int kind) {
  modfs_attributes attributes;
  status_clear(worker->status);
  attributes.length = 0;
  if (kind != MODFS_KIND_LINK) measure(worker, node, name, &attributes);
  if (TF_GetCode(worker->status) == TF_NOT_FOUND) return;
  if (!status_ok(worker->status)) {
    tree_fail(worker, node, 0, name);
    return;
  }
  modfs_tree_counts one = {.files = 1, .bytes = (uint64_t)attributes.length};
  tree_count(worker, one);
  tree_report(worker, node, name, one.bytes);
}

static void measure_leave(tree_worker *worker, tree_node *node) {
  if (!node->gone) tree_count(worker, (modfs_tree_counts){.dirs = 1});
}

static const tree_ops measure_ops = {.name = "du",
                                     .may_vanish = true,
                                     .at_once = 16,
                                     .entry = measure_entry,
                                     .leave = measure_leave};

modfs_tree *modfs_tree_measure(const modfs_fs *fs, const char *path,
                               const modfs_tree_options *options, TF_Status *status) {
  TF_FileStatistics stats;
  modfs_fs_stat(fs, path, &stats, status);
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(&measure_ops, fs, path, NULL, NULL, options, status);
  if (tree && !stats.is_directory) tree_is_entry(tree, MODFS_KIND_FILE);
  return tree;
}

modfs_tree *tree_measure_below(const fs_directory *above, const char *name, const char *shown,
                               TF_Status *status) {
  return tree_new_below(&measure_ops, above, name, shown, status);
}

modfs_tree_counts tree_measured(const modfs_fs *fs, const char *path, size_t threads,
                                modfs_choice *choice, tree_ahead ahead) {
  const modfs_tree_options options = {.threads = threads, .choice = choice};
  modfs_tree_counts counts = {0};
  modfs_tree_event event;
  TF_Status *status = TF_NewStatus();
  modfs_tree *tree = status ? modfs_tree_measure(fs, path, &options, status) : NULL;
  if (tree) {
    tree->ahead = ahead;
    while (modfs_tree_step(tree, &event, status)) {
    }
    counts = modfs_tree_result(tree);
  }
  modfs_tree_close(tree);
  TF_DeleteStatus(status);
  return counts;
}
