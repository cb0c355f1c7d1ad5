/* An operation on a tree: directories and entries are tasks, which a few threads take from one queue.
 *
 * A directory is listed piece by piece. What is found in it becomes tasks of its own; a full queue of
 * files is worked off before more is listed, so that memory does not grow with the width of a
 * directory, and a listing that was begun is finished before another begins, so that each thread holds
 * one at most. A directory is left when all below it is done.
 *
 * A node is in one place at a time: in the findings of the hand that listed it, in folders, with the hand
 * that lists it, or in open between two pieces; then only what is below it leads to it. The count
 * "below" is what keeps it: who settles the last one leaves the node, closes its handles and frees it,
 * and settles one of its parent's. A hand that settles pins no handle, as the node may be gone then.
 *
 * One lock, the tree's, guards the queue, the counts, events, errors, "below" and "spoilt" of nodes, and
 * the states of handles (tree_handles.c). It is never held over a call of a plugin, nor together with
 * another lock. Names, parents and numbers never change; what else a node has belongs to the hand that has
 * the node, and is written before its entries are in the queue.
 *
 * Directories are never named by their paths: a path is for messages and progress, and for roots. A
 * forked child has none of the threads; it leaves the tree as it is. */
#ifndef MODFS_CORE_TREE_H
#define MODFS_CORE_TREE_H

#include <modfs/extension.h>
#include <pthread.h>
#include <stdatomic.h>

#include "directory.h"

/* One side's directory of a node; tree_handles.c. */
typedef struct tree_handle {
  fs_directory directory;
  struct tree_handle *older, *newer; /* while it is idle */
  uint64_t device, inode;            /* noted when it was closed; both 0: none here */
  unsigned users;
  int state;
} tree_handle;

/* A directory under way. */
typedef struct tree_node {
  struct tree_node *parent, *next;
  tree_handle handles[2];
  uint64_t number;
  size_t below;  /* what is not done yet: entries, directories, and itself while it is listed */
  size_t length; /* of its path from the root */
  size_t depth;  /* below the root */
  bool entered;
  bool listed; /* its listing was begun */
  bool spoilt; /* something in it went wrong */
  bool gone;   /* it was not there any more */
  bool fresh;  /* its counterpart was made by us: nothing stands there yet */
  char name[];
} tree_node;

/* What is no directory; below a root that is none itself its name is "". */
typedef struct tree_item {
  struct tree_item *next;
  tree_node *node;
  int kind;
  char name[];
} tree_item;

typedef struct tree_path {
  char *text;
  size_t stem, room; /* the directory's part, with its slash */
  uint64_t number;   /* of that directory */
} tree_path;

/* What belongs to one thread. */
typedef struct tree_hand {
  modfs_tree *tree;
  TF_Status *status;
  TF_Status *closing; /* of handles that are closed on the way: status stays what it was */
  tree_path paths[2];
  tree_node *pinned[2];     /* whose handles it uses */
  modfs_tree_counts counts; /* of the task at hand */
  pthread_t thread;
} tree_hand;

typedef struct tree_side {
  const modfs_fs *fs;
  char *root;
  const fs_directory *above; /* the root is the entry name in it; NULL: it is what its path says */
  const char *name;
} tree_side;

typedef struct tree_ops {
  const char *name;                                /* of the operation, for messages */
  bool may_vanish;                                 /* what goes away meanwhile is no failure */
  unsigned at_once;                                /* how many entries one task takes */
  bool (*enter)(tree_hand *hand, tree_node *node); /* false: not to be listed; may be NULL */
  void (*entry)(tree_hand *hand, tree_node *node, const char *name, int kind);
  void (*leave)(tree_hand *hand, tree_node *node); /* may be NULL */
} tree_ops;

typedef struct tree_event {
  uint64_t done;
  char *path;
} tree_event;

/* Events wait up to the lead, and one task's more. */
enum { TREE_EVENTS = 256, TREE_LEAD = 32, TREE_HANDS = 64 };

struct modfs_tree {
  const tree_ops *ops;
  tree_side sides[2]; /* source and target */
  modfs_tree_options options;
  size_t in_flight; /* the greater of both sides */
  unsigned epoch;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t changed;
  tree_item *items;
  tree_node *open, *folders; /* listings that were begun; directories that were not */
  size_t queued;             /* items */
  size_t busy, waiting, hands;
  tree_handle *oldest, *newest; /* idle handles */
  size_t handles, most_handles; /* open ones, and when idle ones are closed */
  uint64_t numbers;
  atomic_bool cancelled;
  atomic_bool broken_off; /* cancelled, because to go on would never end */
  bool closing;
  modfs_tree_counts counts;
  modfs_tree_error *errors;
  size_t error_count;
  tree_event events[TREE_EVENTS];
  size_t event_first, event_count;
  char *shown;     /* the path of the event that was given last */
  bool has_target; /* the next two name it */
  uint64_t target_device, target_inode;
  tree_hand own, others[TREE_HANDS];
};

/* A tree with its root in the queue, or NULL. to and dst may be NULL. */
modfs_tree *tree_new(const tree_ops *ops, const modfs_fs *from, const char *src, const modfs_fs *to,
                     const char *dst, const modfs_tree_options *options, TF_Status *status);

/* The root is an entry of a directory that stays open, instead of what its path says. */
void tree_is_below(modfs_tree *tree, const fs_directory *above, const char *name);

/* The root is the directory that these are of, and no other that stands there when it is opened. */
void tree_expect(modfs_tree *tree, const modfs_attributes *attributes);

/* Makes of the root one entry instead of a directory. */
void tree_is_entry(modfs_tree *tree, int kind);

/* The lock of what threads share; waking is for its holder. */
void tree_lock(modfs_tree *tree);
void tree_unlock(modfs_tree *tree);
void tree_wake(modfs_tree *tree);
void tree_wait(modfs_tree *tree);

/* What one piece of a listing gave. */
typedef struct tree_findings {
  tree_item *items, *last_item;
  tree_node *folders, *last_folder;
  size_t item_count, count;
  size_t room;  /* for items */
  size_t spare; /* how many more may be done on the spot, where there is no room */
} tree_findings;

/* Both NULL without memory. */
tree_node *tree_node_new(modfs_tree *tree, tree_node *parent, const char *name);
tree_item *tree_item_new(tree_node *node, const char *name, int kind);

/* Enters a directory and opens its listing; false, after noting it, when it cannot be listed. */
bool tree_begin(tree_hand *hand, tree_node *node);

/* Lists on; false at the end, or after a failure, which is noted. */
bool tree_list_piece(tree_hand *hand, tree_node *node, tree_findings *found);

/* n of what is below a node are done; leaves what is done with all of it. */
void tree_settle(tree_hand *hand, tree_node *node, size_t n);

/* The path of an entry on one side, or of the directory where name is "". Lives until the next call
 * for the same side; NULL, after noting it, without memory. */
const char *tree_path_of(tree_hand *hand, int side, const tree_node *node, const char *name);

/* Notes a failure of the whole tree, and ends the operation. */
void tree_break_off(tree_hand *hand);

/* Keeps the failure in the hand's status, for the path it is about, and spoils the node. */
void tree_note(tree_hand *hand, tree_node *node, const char *path);

/* Adds to the counts of the task at hand, and so to the tree's. */
void tree_count(tree_hand *hand, modfs_tree_counts more);

/* The task is over; the lock is held. */
void tree_hand_over(tree_hand *hand);

/* A file of the source is done, for progress. */
void tree_report(tree_hand *hand, const tree_node *node, const char *name, uint64_t bytes);

/* The directory of a node on one side, good until the hand asks for another node's on that side. NULL
 * with the hand's status, or after noting the failure. */
fs_directory *tree_open(tree_hand *hand, tree_node *node, int side);
fs_directory *tree_directory(tree_hand *hand, tree_node *node, int side);

/* The hand uses no handle any more; before anything that may free a node. */
void tree_unpin(tree_hand *hand, int side);
void tree_unpin_all(tree_hand *hand);

/* Keeps the source's handle of a node open, while it is listed. */
void tree_keep_open(tree_hand *hand, tree_node *node);
void tree_release(tree_hand *hand, tree_node *node);

/* Opens the handles above a node again, as all below it is done; its own end. */
void tree_reopen_above(tree_hand *hand, tree_node *node);
void tree_handles_close(modfs_tree *tree, tree_node *node);
void tree_handles_init(modfs_tree *tree);

/* Keeps the failure in the hand's status, for an entry of one side. */
void tree_fail(tree_hand *hand, tree_node *node, int side, const char *name);

/* Whether a name is that of a root that is no directory: a path that its user named. */
bool tree_is_named(const tree_node *node, const char *name);

/* What modfs_tree_measure counts, as far as it can be read. */
modfs_tree_counts tree_measured(const modfs_fs *fs, const char *path, size_t threads);

#endif
