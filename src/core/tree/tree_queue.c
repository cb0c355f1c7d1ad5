/* The queue of a tree's tasks: items, listings that were begun ("open"), and "directories" where that
 * is to come. The tree's lock guards all of it (tree.h); what is taken belongs to the worker.
 *
 * There are two orders. With remote storage, whose answers are waited for, and with progress, a worker
 * goes on with a listing that was begun while fewer than IN_STOCK items a thread are queued; otherwise
 * it takes items, several at once when many wait; it begins a listing only when there are neither.
 *
 * Elsewhere each worker keeps to a directory of its own (keeps_apart), as two in one would wait for
 * the kernel's lock of it: listings come first, and the lister does the entries itself beyond
 * IN_STOCK items a thread, which are queued for workers that find no other directory. When half of
 * these are gone and no directory waits, "wants_items" makes listers queue more, so that all share the
 * last directories, or a single one. With one worker, or many handles open, as in a deep tree, items
 * come before directories here, too. */
#include "tree.h"

enum { IN_STOCK = 16 }; /* items for each thread before listing waits */

/* How many items wait before more is listed. */
static size_t stock_of(const modfs_tree *tree) {
  return IN_STOCK * tree->options.threads;
}

/* Whether each worker keeps to a directory of its own as long as there are others. */
static bool keeps_apart(const modfs_tree *tree) {
  return tree->in_flight <= 1 && !tree->options.progress;
}

/* Notes whether a lister is to queue entries for other workers, who would soon have none. The lock
 * is held. */
static void note_want(modfs_tree *tree) {
  bool wants = keeps_apart(tree) && tree->options.threads > 1 && !tree->directories &&
               tree->queued < stock_of(tree) / 2;
  if (wants != tree->wants_items) tree->wants_items = wants;
}

void tree_put(modfs_tree *tree, tree_node *node, const tree_findings *found, bool more) {
  tree_lock(tree);
  node->below += found->count;
  if (found->items) {
    found->last_item->next = tree->items;
    tree->items = found->items;
    tree->queued += found->item_count;
  }
  if (found->directories) {
    found->last_directory->next = tree->directories;
    tree->directories = found->directories;
  }
  if (more) {
    node->next = tree->open;
    tree->open = node;
  }
  note_want(tree);
  tree_offer(tree);
  tree_unlock(tree);
}

/* How many items a piece of a listing may queue. The lister does the rest itself, unless progress
 * has to be reported for each at once. */
static size_t room_for_items(modfs_tree *tree) {
  size_t threads = tree->options.threads, stock = stock_of(tree);
  if (tree->options.progress) return SIZE_MAX;
  if (threads == 1) return 0;
  tree_lock(tree);
  size_t room = tree->queued < stock ? stock - tree->queued : 0;
  tree_unlock(tree);
  return room;
}

/* How many entries beyond the room the lister does itself in one piece. With remote storage, a whole
 * piece would take it so long that the other workers ran out of tasks. Elsewhere, what was queued is
 * shown to them first. */
static size_t spare_of(const modfs_tree *tree, size_t room) {
  if (keeps_apart(tree)) return room > 0 ? 0 : SIZE_MAX;
  return tree->options.threads > 1 ? TREE_WORTH_A_THREAD : SIZE_MAX;
}

tree_findings tree_find_room(modfs_tree *tree) {
  size_t room = room_for_items(tree);
  return (tree_findings){.room = room, .spare = spare_of(tree, room)};
}

/* Takes one item, or several when many wait: a share for each thread stays. */
static tree_item *take_items(modfs_tree *tree) {
  size_t most = tree->queued / (2 * tree->options.threads);
  if (most > tree->ops->at_once) most = tree->ops->at_once;
  tree_item *first = tree->items, *last = first;
  size_t n = 1;
  for (; n < most && last->next; n++)
    last = last->next;
  tree->items = last->next;
  tree->queued -= n;
  last->next = NULL;
  return first;
}

static tree_node *take_node(modfs_tree *tree) {
  tree_node **from = tree->open ? &tree->open : &tree->directories, *node = *from;
  if (node) *from = node->next;
  return node;
}

/* Whether another directory may be begun before the items of those that were: not when that would
 * close their handles, which in a deep tree are dear to open again, nor while there is one worker,
 * which would find enough items in small directories to be worth a thread. */
static bool may_begin(const modfs_tree *tree) {
  return tree->directories && tree->workers > 0 && tree->handles < tree->most_handles / 2;
}

/* Whether the next task is a piece of a listing rather than items, if there are any. */
static bool is_for_listing(const modfs_tree *tree) {
  if (keeps_apart(tree)) return tree->open || may_begin(tree);
  return tree->open && tree->queued < stock_of(tree);
}

bool tree_take(modfs_tree *tree, tree_item **items, tree_node **node) {
  *items = tree->items && !is_for_listing(tree) ? take_items(tree) : NULL;
  *node = *items ? NULL : take_node(tree);
  note_want(tree);
  return *items || *node;
}
