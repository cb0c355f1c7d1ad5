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
 * by names from the nearest open one, never through a link, but for those that are followed. The
 * directory opened must have the
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
static bool close_oldest(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  tree_handle *handle = tree->oldest;
  uint64_t device, inode;
  if (!handle) return false;
  idle_remove(tree, handle);
  handle->state = BUSY;
  tree_unlock(tree);
  directory_identity(&handle->directory, &device, &inode, worker->closing);
  if (!status_ok(worker->closing)) device = inode = NO_IDENTITY;
  directory_close(&handle->directory);
  tree_lock(tree);
  handle->device = device;
  handle->inode = inode;
  handle->state = SHUT;
  tree->handles--;
  tree_wake(tree);
  return true;
}

static void remove_user(tree_worker *worker, tree_handle *handle) {
  modfs_tree *tree = worker->tree;
  if (--handle->users == 0) idle_add(tree, handle);
  while (tree->handles > tree->most_handles && close_oldest(worker)) {
  }
}

void tree_handles_init(modfs_tree *tree) {
  struct rlimit limit;
  tree->most_handles = MOST_OPEN;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur / 4 < MOST_OPEN)
    tree->most_handles = limit.rlim_cur / 4 > LEAST_OPEN ? (size_t)limit.rlim_cur / 4 : LEAST_OPEN;
}

modfs_tree *tree_new_below(const tree_ops *ops, const fs_directory *above, const char *name,
                           const char *shown, TF_Status *status) {
  const modfs_tree_options options = {.threads = 1};
  modfs_tree *tree = tree_new(ops, above->fs, shown, NULL, NULL, &options, status);
  if (!tree) return NULL;
  tree->sides[0].above = above;
  tree->sides[0].name = name;
  if (tree->most_handles > MOST_OPEN_BELOW) tree->most_handles = MOST_OPEN_BELOW;
  return tree;
}

/* Opening ------------------------------------------------------------------------------ */

/* Whether made is the directory that was closed earlier; if not, made is closed. */
static bool check_identity(tree_worker *worker, const tree_handle *handle, fs_directory *made) {
  uint64_t device, inode, own_device, own_inode;
  tree_lock(worker->tree);
  device = handle->device;
  inode = handle->inode;
  tree_unlock(worker->tree);
  if (!device && !inode) return true;
  directory_identity(made, &own_device, &own_inode, worker->status);
  if (status_ok(worker->status) && (device != own_device || inode != own_inode))
    TF_SetStatus(worker->status, TF_FAILED_PRECONDITION,
                 "the directory was moved or replaced meanwhile");
  if (status_ok(worker->status)) return true;
  directory_close(made);
  return false;
}

/* The way down from an open directory to a node. */
typedef struct descent {
  int side;
  tree_handle *from; /* the nearest open one above, with one more user; NULL: there is none */
  size_t count;      /* levels from there */
  tree_node **nodes; /* the node, its parent, and so on up to the one below `from` */
} descent;

static void find_open(modfs_tree *tree, const tree_node *node, descent *way) {
  tree_node *at = node->parent;
  way->count = 1;
  tree_lock(tree);
  for (; at->parent && at->handles[way->side].state != OPEN; at = at->parent)
    way->count++;
  way->from = at->handles[way->side].state == OPEN ? &at->handles[way->side] : NULL;
  if (way->from) add_user(tree, way->from);
  tree_unlock(tree);
}

/* A link in the source that is followed is opened by its path. */
static void open_one(tree_worker *worker, const fs_directory *at, const descent *way, size_t i,
                     fs_directory *made) {
  const tree_node *node = way->nodes[i];
  bool linked = node->linked && way->side == 0;
  const char *path = linked ? tree_path_of(worker, 0, node, "") : NULL;
  if (path)
    directory_open(at->fs, path, made, worker->status);
  else if (!linked)
    directory_open_below(at, node->name, made, worker->status);
}

/* Opens one directory after another, down to the lowest, which made receives. */
static void go_down(tree_worker *worker, const descent *way, fs_directory *made) {
  fs_directory at = way->from->directory;
  for (size_t i = way->count; i-- > 0 && status_ok(worker->status);) {
    open_one(worker, &at, way, i, made);
    if (i + 1 < way->count) directory_close(&at);
    if (status_ok(worker->status)) check_identity(worker, &way->nodes[i]->handles[way->side], made);
    at = *made;
  }
}

static void open_from_above(tree_worker *worker, tree_node *node, int side, fs_directory *made) {
  descent way = {.side = side};
  find_open(worker->tree, node, &way);
  if (!way.from) {
    TF_SetStatus(worker->status, TF_FAILED_PRECONDITION, "the root could not be opened");
    return;
  }
  way.nodes = malloc(way.count * sizeof *way.nodes);
  if (way.nodes) {
    way.nodes[0] = node;
    for (size_t i = 1; i < way.count; i++)
      way.nodes[i] = way.nodes[i - 1]->parent;
    go_down(worker, &way, made);
  } else {
    status_no_memory(worker->status);
  }
  free(way.nodes);
  tree_lock(worker->tree);
  remove_user(worker, way.from);
  tree_unlock(worker->tree);
}

static void open_handle(tree_worker *worker, tree_node *node, int side, fs_directory *made) {
  const tree_side *of = &worker->tree->sides[side];
  status_clear(worker->status);
  if (!node->parent && of->above) {
    directory_open_below(of->above, of->name, made, worker->status);
  } else if (!node->parent || directory_is_path(of->fs)) {
    const char *path = tree_path_of(worker, side, node, "");
    if (path) directory_open(of->fs, path, made, worker->status);
    if (status_ok(worker->status)) check_identity(worker, &node->handles[side], made);
  } else {
    open_from_above(worker, node, side, made);
  }
}

/* Frees a descriptor when the process has none left, and from then on keeps fewer open. */
static bool spare_one(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  tree_lock(tree);
  bool spared = close_oldest(worker);
  if (spared && tree->handles >= LEAST_OPEN) tree->most_handles = tree->handles;
  tree_unlock(tree);
  return spared;
}

/* Ends BUSY: OPEN with made, which has one user, else SHUT. The lock is held. */
static void set_state(tree_worker *worker, tree_handle *handle, const fs_directory *made) {
  modfs_tree *tree = worker->tree;
  handle->state = made ? OPEN : SHUT;
  if (made) {
    handle->directory = *made;
    handle->users = 1;
    tree->handles++;
  }
  tree_wake(tree);
}

static bool pin(tree_worker *worker, tree_node *node, int side) {
  modfs_tree *tree = worker->tree;
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
  open_handle(worker, node, side, &made);
  while (TF_GetCode(worker->status) == TF_RESOURCE_EXHAUSTED && spare_one(worker))
    open_handle(worker, node, side, &made);
  open = status_ok(worker->status);
  tree_lock(tree);
  set_state(worker, handle, open ? &made : NULL);
  if (open && !node->parent) handle->users++;
  tree_unlock(tree);
  return open;
}

/* What others see -------------------------------------------------------------------------- */

fs_directory *tree_open(tree_worker *worker, tree_node *node, int side) {
  if (worker->pinned[side] != node) {
    tree_unpin(worker, side);
    if (!pin(worker, node, side)) return NULL;
    worker->pinned[side] = node;
  }
  return &node->handles[side].directory;
}

fs_directory *tree_directory(tree_worker *worker, tree_node *node, int side) {
  fs_directory *found = tree_open(worker, node, side);
  if (!found) tree_fail(worker, node, side, "");
  return found;
}

void tree_unpin(tree_worker *worker, int side) {
  tree_node *node = worker->pinned[side];
  if (!node) return;
  worker->pinned[side] = NULL;
  tree_lock(worker->tree);
  remove_user(worker, &node->handles[side]);
  tree_unlock(worker->tree);
}

void tree_unpin_all(tree_worker *worker) {
  tree_unpin(worker, 0);
  tree_unpin(worker, 1);
}

void tree_keep_open(tree_worker *worker, tree_node *node) {
  tree_lock(worker->tree);
  node->handles[0].users++;
  tree_unlock(worker->tree);
}

void tree_release(tree_worker *worker, tree_node *node) {
  tree_lock(worker->tree);
  remove_user(worker, &node->handles[0]);
  tree_unlock(worker->tree);
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

void tree_reopen_above(tree_worker *worker, tree_node *node) {
  modfs_tree *tree = worker->tree;
  fs_directory made;
  for (int side = 0; side < 2; side++) {
    tree_handle *above = &node->parent->handles[side];
    if ((node->linked && side == 0) || !claim_above(tree, node, side)) continue;
    directory_open_below(&node->handles[side].directory, "..", &made, worker->status);
    bool same = status_ok(worker->status) && check_identity(worker, above, &made);
    tree_lock(tree);
    set_state(worker, above, same ? &made : NULL);
    if (same) remove_user(worker, above);
    remove_user(worker, &node->handles[side]);
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
