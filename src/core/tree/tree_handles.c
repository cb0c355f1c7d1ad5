/* The directories that a tree keeps open.
 *
 * Each node has a handle for either side: SHUT, OPEN, or BUSY while one thread opens or closes it,
 * for which others wait. The tree's lock guards states, users and the list of idle handles; it is
 * never held over a call of a plugin. A worker pins one handle a side (users), from tree_directory
 * until it asks for another node's or ends its task; a node that is listed counts one more user,
 * and so does the root to the end. A handle without users is idle. The one that has been idle for
 * longest is closed when more than most_handles are open (MOST_OPEN, fewer where descriptors are
 * scarce), or when the process has no descriptor left.
 *
 * A closed handle can be opened again: from its child by "..", as a deep tree is left, or downwards
 * by names from the nearest open one, never through a link. The directory opened must have the
 * device and inode that were noted at its closing: any other is a failure, and nothing is done in
 * it.
 *
 * The handles of a node are closed with it, by the worker that settles the last task below it and
 * is alone with it. A forked child leaves all handles as they are: their descriptors close at exec.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "core/base/status.h"
#include "tree.h"

enum { SHUT, BUSY, OPEN };
enum { MOST_OPEN = 48, MOST_OPEN_BELOW = 16, LEAST_OPEN = 4 };

/* Idle handles ------------------------------------------------------------------------- */

static void idle_add(modfs_tree *tree, tree_handle *handle) {
  handle->older = tree->newest;
  handle->newer = NULL;
  *(tree->newest ? &tree->newest->newer : &tree->oldest) = handle;
  tree->newest = handle;
}

static void idle_remove(modfs_tree *tree, tree_handle *handle) {
  *(handle->older ? &handle->older->newer : &tree->oldest) = handle->newer;
  *(handle->newer ? &handle->newer->older : &tree->newest) = handle->older;
}

static void add_user(modfs_tree *tree, tree_handle *handle) {
  if (handle->users++ == 0) idle_remove(tree, handle);
}

/* An inode that no directory has: a handle whose identity could not be noted is not opened again.
 */
#define NO_IDENTITY UINT64_MAX

/* Closes the handle that has been idle for longest. The lock is held before and after, not
 * meanwhile. */
static bool close_oldest(tree_hand *hand) {
  modfs_tree *tree = hand->tree;
  tree_handle *handle = tree->oldest;
  uint64_t device, inode;
  if (!handle) return false;
  idle_remove(tree, handle);
  handle->state = BUSY;
  tree_unlock(tree);
  directory_identity(&handle->directory, &device, &inode, hand->closing);
  if (!status_ok(hand->closing)) device = inode = NO_IDENTITY;
  directory_close(&handle->directory);
  tree_lock(tree);
  handle->device = device;
  handle->inode = inode;
  handle->state = SHUT;
  tree->handles--;
  tree_wake(tree);
  return true;
}

static void remove_user(tree_hand *hand, tree_handle *handle) {
  modfs_tree *tree = hand->tree;
  if (--handle->users == 0) idle_add(tree, handle);
  while (tree->handles > tree->most_handles && close_oldest(hand)) {
  }
}

void tree_handles_init(modfs_tree *tree) {
  struct rlimit limit;
  tree->most_handles = MOST_OPEN;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < MOST_OPEN)
    tree->most_handles = limit.rlim_cur / 4 > LEAST_OPEN ? (size_t)limit.rlim_cur / 4 : LEAST_OPEN;
}

void tree_is_below(modfs_tree *tree, const fs_directory *above, const char *name) {
  tree->sides[0].above = above;
  tree->sides[0].name = name;
  if (tree->most_handles > MOST_OPEN_BELOW) tree->most_handles = MOST_OPEN_BELOW;
}

/* Opening ------------------------------------------------------------------------------ */

/* Whether made is the directory that was closed earlier; if not, made is closed. */
static bool check_identity(tree_hand *hand, const tree_handle *handle, fs_directory *made) {
  uint64_t device, inode, own_device, own_inode;
  tree_lock(hand->tree);
  device = handle->device;
  inode = handle->inode;
  tree_unlock(hand->tree);
  if (!device && !inode) return true;
  directory_identity(made, &own_device, &own_inode, hand->status);
  if (status_ok(hand->status) && (device != own_device || inode != own_inode))
    TF_SetStatus(hand->status, TF_FAILED_PRECONDITION,
                 "the directory was moved or replaced meanwhile");
  if (status_ok(hand->status)) return true;
  directory_close(made);
  return false;
}

/* The nearest open directory above, with one more user; NULL when there is none. steps: how many
 * levels up it is. */
static tree_node *find_open(modfs_tree *tree, tree_node *node, int side, size_t *steps) {
  tree_node *at = node->parent;
  *steps = 1;
  tree_lock(tree);
  for (; at->parent && at->handles[side].state != OPEN; at = at->parent)
    ++*steps;
  bool open = at->handles[side].state == OPEN;
  if (open) add_user(tree, &at->handles[side]);
  tree_unlock(tree);
  return open ? at : NULL;
}

/* Opens one directory after another from an open one down to nodes[0], the lowest. */
static void go_down(tree_hand *hand, const fs_directory *from, tree_node **nodes, size_t count,
                    fs_directory *made, int side) {
  fs_directory at;
  for (size_t i = count; i-- > 0 && status_ok(hand->status);) {
    directory_open_below(i + 1 == count ? from : &at, nodes[i]->name, made, hand->status);
    if (i + 1 < count) directory_close(&at);
    if (status_ok(hand->status)) check_identity(hand, &nodes[i]->handles[side], made);
    at = *made;
  }
}

static void open_from_above(tree_hand *hand, tree_node *node, int side, fs_directory *made) {
  size_t count;
  tree_node *above = find_open(hand->tree, node, side, &count);
  tree_node **nodes = above ? malloc(count * sizeof *nodes) : NULL;
  if (nodes) {
    nodes[0] = node;
    for (size_t i = 1; i < count; i++)
      nodes[i] = nodes[i - 1]->parent;
    go_down(hand, &above->handles[side].directory, nodes, count, made, side);
  } else if (above) {
    status_no_memory(hand->status);
  } else {
    TF_SetStatus(hand->status, TF_FAILED_PRECONDITION, "the root could not be opened");
  }
  free(nodes);
  if (!above) return;
  tree_lock(hand->tree);
  remove_user(hand, &above->handles[side]);
  tree_unlock(hand->tree);
}

static void open_handle(tree_hand *hand, tree_node *node, int side, fs_directory *made) {
  const tree_side *of = &hand->tree->sides[side];
  status_clear(hand->status);
  if (!node->parent && of->above) {
    directory_open_below(of->above, of->name, made, hand->status);
  } else if (!node->parent || directory_is_path(of->fs)) {
    const char *path = tree_path_of(hand, side, node, "");
    if (path) directory_open(of->fs, path, made, hand->status);
    if (status_ok(hand->status)) check_identity(hand, &node->handles[side], made);
  } else {
    open_from_above(hand, node, side, made);
  }
}

/* Frees a descriptor when the process has none left, and from then on keeps fewer open. */
static bool spare_one(tree_hand *hand) {
  modfs_tree *tree = hand->tree;
  tree_lock(tree);
  bool spared = close_oldest(hand);
  if (spared && tree->handles >= LEAST_OPEN) tree->most_handles = tree->handles;
  tree_unlock(tree);
  return spared;
}

/* Ends BUSY: OPEN with made, which has one user, else SHUT. The lock is held. */
static void set_state(tree_hand *hand, tree_handle *handle, const fs_directory *made) {
  modfs_tree *tree = hand->tree;
  handle->state = made ? OPEN : SHUT;
  if (made) {
    handle->directory = *made;
    handle->users = 1;
    tree->handles++;
  }
  tree_wake(tree);
}

static bool pin(tree_hand *hand, tree_node *node, int side) {
  modfs_tree *tree = hand->tree;
  tree_handle *handle = &node->handles[side];
  fs_directory made;
  tree_lock(tree);
  while (handle->state == BUSY)
    tree_wait(tree);
  bool open = handle->state == OPEN;
  if (open)
    add_user(tree, handle);
  else
    handle->state = BUSY;
  tree_unlock(tree);
  if (open) return true;
  open_handle(hand, node, side, &made);
  while (TF_GetCode(hand->status) == TF_RESOURCE_EXHAUSTED && spare_one(hand))
    open_handle(hand, node, side, &made);
  open = status_ok(hand->status);
  tree_lock(tree);
  set_state(hand, handle, open ? &made : NULL);
  if (open && !node->parent) handle->users++;
  tree_unlock(tree);
  return open;
}

/* What others see -------------------------------------------------------------------------- */

fs_directory *tree_open(tree_hand *hand, tree_node *node, int side) {
  if (hand->pinned[side] != node) {
    tree_unpin(hand, side);
    if (!pin(hand, node, side)) return NULL;
    hand->pinned[side] = node;
  }
  return &node->handles[side].directory;
}

fs_directory *tree_directory(tree_hand *hand, tree_node *node, int side) {
  fs_directory *found = tree_open(hand, node, side);
  if (!found) tree_fail(hand, node, side, "");
  return found;
}

void tree_unpin(tree_hand *hand, int side) {
  tree_node *node = hand->pinned[side];
  if (!node) return;
  hand->pinned[side] = NULL;
  tree_lock(hand->tree);
  remove_user(hand, &node->handles[side]);
  tree_unlock(hand->tree);
}

void tree_unpin_all(tree_hand *hand) {
  tree_unpin(hand, 0);
  tree_unpin(hand, 1);
}

void tree_keep_open(tree_hand *hand, tree_node *node) {
  tree_lock(hand->tree);
  node->handles[0].users++;
  tree_unlock(hand->tree);
}

void tree_release(tree_hand *hand, tree_node *node) {
  tree_lock(hand->tree);
  remove_user(hand, &node->handles[0]);
  tree_unlock(hand->tree);
}

/* Whether the parent is to be opened from here: its handle is BUSY and the node's has one more user
 * then. */
static bool claim_above(modfs_tree *tree, tree_node *node, int side) {
  tree_handle *handle = &node->handles[side], *above = &node->parent->handles[side];
  tree_lock(tree);
  bool ours = handle->state == OPEN && above->state == SHUT && (above->device || above->inode) &&
              !tree->cancelled;
  if (ours) {
    above->state = BUSY;
    add_user(tree, handle);
  }
  tree_unlock(tree);
  return ours;
}

void tree_reopen_above(tree_hand *hand, tree_node *node) {
  modfs_tree *tree = hand->tree;
  fs_directory made;
  for (int side = 0; side < 2; side++) {
    tree_handle *above = &node->parent->handles[side];
    if (!claim_above(tree, node, side)) continue;
    directory_open_below(&node->handles[side].directory, "..", &made, hand->status);
    bool same = status_ok(hand->status) && check_identity(hand, above, &made);
    tree_lock(tree);
    set_state(hand, above, same ? &made : NULL);
    if (same) remove_user(hand, above);
    remove_user(hand, &node->handles[side]);
    tree_unlock(tree);
  }
}

void tree_handles_close(modfs_tree *tree, tree_node *node) {
  for (int side = 0; side < 2; side++) {
    tree_handle *handle = &node->handles[side];
    tree_lock(tree);
    while (handle->state == BUSY)
      tree_wait(tree);
    bool open = handle->state == OPEN;
    if (open && handle->users == 0) idle_remove(tree, handle);
    tree->handles -= open;
    tree_unlock(tree);
    if (open) directory_close(&handle->directory);
  }
}
