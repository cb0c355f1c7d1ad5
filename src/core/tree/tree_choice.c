/* Choosing entries of a tree by the choice of the operation (core/fs/choice.h).
 *
 * The path of an entry below the root is the end of its path on the source's side, from "stem" on.
 * An operation within another one (tree_choose_like) takes it from the outer one's root. The filter
 * runs on the thread of modfs_tree_step, with no lock held and no plugin's function running. */
#include "tree.h"

#include <string.h>

#include "core/base/path.h"
#include "core/base/status.h"

/* Opening a directory may overwrite the worker's path, so the path is made after that. */
static choice_answer ask(tree_worker *worker, tree_node *node, int side, const char *name,
                         int kind) {
  modfs_tree *tree = worker->tree;
  bool asks = choice_asks(tree->options.choice, kind);
  const fs_directory *self = asks ? tree_open(worker, node, side) : NULL;
  if (asks && !self) return CHOICE_UNKNOWN;
  const char *path = tree_path_of(worker, 0, node, name);
  if (!path) return CHOICE_NO;
  choice_entry entry = {path + tree->stem, node->depth + 1, kind, node->included};
  return choice_takes(tree->options.choice, &entry, self, worker->status);
}

bool tree_chooses(tree_worker *worker, tree_node *node, int side, const char *name, int kind) {
  modfs_tree *tree = worker->tree;
  if (tree->cancelled) return false;
  choice_answer answer = ask(worker, node, side, name, kind);
  if (answer == CHOICE_YES) return true;
  if (answer == CHOICE_UNKNOWN) tree_fail(worker, node, side, name);
  if (answer == CHOICE_END) tree_break_off(worker);
  tree_lock(tree);
  node->kept = true;
  tree_unlock(tree);
  return false;
}

void tree_include(tree_worker *worker, tree_node *node) {
  const modfs_tree *tree = worker->tree;
  const tree_node *above = node->parent;
  const char *path = tree->options.choice ? tree_path_of(worker, 0, above, node->name) : NULL;
  if (path)
    node->included = choice_includes(tree->options.choice, path + tree->stem, above->included);
}

void tree_choose_like(modfs_tree *tree, tree_worker *worker, tree_node *node, const char *name) {
  const modfs_tree *outer = worker->tree;
  const char *root = outer->sides[1].root, *path = tree_path_of(worker, 1, node, name);
  tree_node *own = tree->directories;
  tree->options.dry_run = outer->options.dry_run;
  tree->options.choice = choice_retain(outer->options.choice);
  tree->stem = strlen(root) + path_wants_slash(root, strlen(root));
  if (!path) modfs_tree_cancel(tree);
  if (!path || !own) return;
  own->depth = node->depth + 1;
  own->included = choice_includes(outer->options.choice, path + tree->stem, node->included);
}
