/* Listing directories, and settling what is done below them.
 *
 * A node is entered, then listed in pieces by one worker at a time, then waits until "below" is 0.
 * "below" begins at 1, for the listing; tree_put adds the tasks of each piece before the
 * listing can be settled, so it cannot reach 0 early. The worker that brings it to 0 is alone with
 * the node, and tree_settle goes on with the parent from there, in a loop: depth costs no stack.
 *
 * The lock is taken for "below", "spoilt" and the counter of node numbers only; "wants_items" is read
 * without it, as a piece that ends an entry late does no harm. The findings of a piece belong to the
 * lister until tree_put queues them; then items belong to the worker that takes them, which frees them,
 * and nodes to the tree as tree.h says. Entries beyond the room for items are done by the lister
 * itself, and do not count in "below", which its listing keeps above 0.
 *
 * A listing keeps the source's handle open (tree_keep_open) between its pieces. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

enum { PIECE = 64 }; /* entries listed without a break */

tree_node *tree_node_new(modfs_tree *tree, tree_node *parent, const char *name) {
  size_t size = strlen(name) + 1;
  tree_node *node = calloc(1, sizeof *node + size);
  if (!node) return NULL;
  node->parent = parent;
  node->below = 1;
  node->length = size - 1;
  if (parent && parent->length > 0) node->length += parent->length + 1;
  if (parent) node->depth = parent->depth + 1;
  memcpy(node->name, name, size);
  node->number = tree_number(tree);
  return node;
}

uint64_t tree_number(modfs_tree *tree) {
  tree_lock(tree);
  uint64_t number = ++tree->numbers;
  tree_unlock(tree);
  return number;
}

void tree_settle(tree_worker *worker, tree_node *node, size_t n) {
  modfs_tree *tree = worker->tree;
  while (node) {
    tree_lock(tree);
    node->below -= n;
    bool done = node->below == 0, leaving = done && tree->ops->leave && !tree->cancelled;
    tree_unlock(tree);
    if (!done) return;
    tree_node *parent = node->parent;
    if (parent) tree_reopen_above(worker, node);
    if (leaving) tree->ops->leave(worker, node);
    tree_unpin_all(worker);
    tree_handles_close(tree, node);
    if ((node->spoilt || node->kept) && parent) {
      tree_lock(tree);
      parent->spoilt = parent->spoilt || node->spoilt;
      parent->kept = parent->kept || node->kept;
      tree_unlock(tree);
    }
    free(node->own);
    free(node);
    node = parent;
    n = 1;
  }
}

tree_item *tree_item_new(tree_node *node, const char *name, int kind) {
  size_t size = strlen(name) + 1;
  tree_item *item = malloc(sizeof *item + size);
  if (!item) return NULL;
  *item = (tree_item){NULL, node, kind};
  memcpy(item->name, name, size);
  return item;
}

/* Breaks off where directories nest too deep, as if forever. */
static bool is_in_reach(tree_worker *worker, const tree_node *directory) {
  const tree_side *side = &worker->tree->sides[0];
  size_t length = strlen(side->root) + directory->length;
  if (fs_check_depth(side->fs, directory->depth, length, worker->status)) return true;
  tree_break_off(worker);
  return false;
}

/* The kind of an entry; of a link that is followed, what it leads to if that is a directory. */
static int kind_of(tree_worker *worker, tree_node *node, const modfs_entry *entry, bool *linked) {
  const modfs_tree *tree = worker->tree;
  int kind = entry->kind;
  if (kind == MODFS_KIND_UNKNOWN)
    kind = directory_kind(&node->handles[0].directory, entry->name, worker->status);
  if (kind != MODFS_KIND_LINK || tree->options.links != MODFS_LINKS_FOLLOW) return kind;
  const char *path = tree_path_of(worker, 0, node, entry->name);
  *linked = path && modfs_fs_is_directory(tree->sides[0].fs, path, worker->status);
  return *linked ? MODFS_KIND_DIRECTORY : kind;
}

static bool find(tree_worker *worker, tree_node *node, const modfs_entry *entry,
                 tree_findings *found) {
  bool linked = false;
  int kind = kind_of(worker, node, entry, &linked);
  if (worker->tree->options.choice && !tree_chooses(worker, node, 0, entry->name, kind))
    return !worker->tree->broken_off;
  if (kind == MODFS_KIND_DIRECTORY) {
    tree_node *directory = tree_node_new(worker->tree, node, entry->name);
    if (!directory || !is_in_reach(worker, directory)) {
      free(directory);
      return false;
    }
    directory->linked = linked;
    tree_include(worker, directory);
    *(found->directories ? &found->last_directory->next : &found->directories) = directory;
    found->last_directory = directory;
  } else if (found->item_count >= found->room) {
    if (!worker->tree->cancelled) worker->tree->ops->entry(worker, node, entry->name, kind);
    found->spare--;
    return true;
  } else {
    tree_item *item = tree_item_new(node, entry->name, kind);
    if (!item) return false;
    *(found->items ? &found->last_item->next : &found->items) = item;
    found->last_item = item;
    found->item_count++;
  }
  found->count++;
  return true;
}

/* Whether a piece goes on: within its room; beyond it until other workers want the entries. */
static bool goes_on(const modfs_tree *tree, const tree_findings *found) {
  if (found->item_count < found->room) return true;
  return found->spare > 0 && (found->room > 0 || !tree->wants_items);
}

bool tree_list_piece(tree_worker *worker, tree_node *node, tree_findings *found) {
  modfs_entry entry;
  for (int i = 0; i < PIECE && goes_on(worker->tree, found); i++) {
    bool more = directory_next(&node->handles[0].directory, &entry, worker->status);
    if (more && !find(worker, node, &entry, found)) {
      if (worker->tree->broken_off) return false;
      more = false;
      status_no_memory(worker->status);
    }
    node->torn = !more && !status_ok(worker->status);
    if (node->torn) tree_fail(worker, node, 0, "");
    if (!more) return false;
  }
  return true;
}

bool tree_begin(tree_worker *worker, tree_node *node) {
  const tree_ops *ops = worker->tree->ops;
  node->entered = true;
  if (ops->enter && !ops->enter(worker, node)) return false;
  if (!ops->empties && !choice_reaches(worker->tree->options.choice, node->depth)) return false;
  fs_directory *self = tree_open(worker, node, 0);
  if (self) directory_start(self, worker->status);
  node->listed = self && status_ok(worker->status);
  if (node->listed) {
    tree_keep_open(worker, node);
    return true;
  }
  node->gone = TF_GetCode(worker->status) == TF_NOT_FOUND && node->parent && ops->may_vanish;
  if (!node->gone) tree_fail(worker, node, 0, "");
  return false;
}
