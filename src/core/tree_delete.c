/* Deleting a tree entry by entry, by paths: over any filesystem, with several deletions in flight.
 * Where a filesystem deletes trees itself, its own way is faster and safe against renames. */
#include "status.h"
#include "tree.h"

static bool delete_file(tree_hand *hand, const char *path) {
  modfs_fs_delete_file(hand->tree->sides[0].fs, path, hand->status);
  return status_ok(hand->status) || TF_GetCode(hand->status) == TF_NOT_FOUND;
}

static void delete_entry(tree_hand *hand, tree_node *node, const char *name, int kind) {
  const char *path = tree_path_of(hand, 0, node, name);
  (void)kind;
  if (!path) return;
  bool done = delete_file(hand, path);
  if (!done) tree_note(hand, node, path);
  tree_count(hand, (modfs_tree_counts){.files = done, .left_files = !done});
  tree_report(hand, path, 1);
}

/* Where links cannot be told, what looks like a directory may be one: it goes when it lets itself be
 * deleted as a file, and nothing is there afterwards. */
static bool delete_link(tree_hand *hand, tree_node *node, const char *path) {
  const modfs_fs *fs = hand->tree->sides[0].fs;
  if (fs->tells_links || !node->parent || !delete_file(hand, path)) return false;
  modfs_fs_path_exists(fs, path, hand->status);
  if (TF_GetCode(hand->status) != TF_NOT_FOUND) return false;
  node->gone = true;
  tree_count(hand, (modfs_tree_counts){.files = 1});
  return true;
}

static bool delete_enter(tree_hand *hand, tree_node *node) {
  const char *path = tree_path_of(hand, 0, node, "");
  return path && !delete_link(hand, node, path);
}

static void delete_leave(tree_hand *hand, tree_node *node) {
  const char *path = tree_path_of(hand, 0, node, "");
  if (!path || node->gone) return;
  bool done = false;
  if (!node->spoilt) {
    modfs_fs_delete_dir(hand->tree->sides[0].fs, path, hand->status);
    done = status_ok(hand->status) || TF_GetCode(hand->status) == TF_NOT_FOUND;
    if (!done) tree_note(hand, node, path);
  }
  tree_count(hand, (modfs_tree_counts){.dirs = done, .left_dirs = !done});
}

static const tree_ops delete_ops = {.name = "rmtree",
                                    .may_vanish = true,
                                    .at_once = 8,
                                    .enter = delete_enter,
                                    .entry = delete_entry,
                                    .leave = delete_leave};

modfs_tree *modfs_tree_delete(const modfs_fs *fs, const char *path,
                              const modfs_tree_options *options, TF_Status *status) {
  modfs_attributes attributes;
  tree_look(fs, path, &attributes, status);
  if (!status_ok(status)) return NULL;
  modfs_tree *tree = tree_new(&delete_ops, fs, path, NULL, NULL, options, status);
  if (tree && options->progress)
    tree->counts.total = tree_measured(fs, path, options->threads).files;
  if (tree && attributes.kind != MODFS_KIND_DIRECTORY) tree_is_entry(tree, attributes.kind);
  return tree;
}
