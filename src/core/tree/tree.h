/* An operation on a tree: directories (nodes) and other entries (items) are tasks, which a few
 * workers (tree_worker: the caller and the threads that were started) take from one queue.
 *
 * A directory is listed piece by piece, and what is found becomes tasks. Once enough files are queued,
 * these are done before more is listed, or the lister does what it finds itself, so memory does not
 * grow with the width of a directory; a listing that was begun is finished before another begins, so
 * each worker has at most one open. A directory is left when all below it is done.
 *
 * A node is in one place at a time: in the findings of the worker that listed its parent, in
 * "directories", with the worker that lists it, in "open" between two pieces; once listed, only tasks
 * below it refer to it. The count "below" keeps it alive: the worker that settles the last task
 * leaves the node, closes its handles, frees it, and settles one task of its parent. A worker that
 * settles pins no handle, as the node may be freed by then.
 *
 * One lock, the tree's, guards the queue, counts, events, errors, "below", "spoilt" and "kept" of
 * nodes, and the states of handles (tree_handles.c). It is never held over a call of a plugin, nor
 * together with another lock. A node's name, parent and number never change; its other members
 * belong to the worker that has the node, and are written before its entries are queued.
 *
 * Directories are not accessed by their paths, which serve messages, progress and roots. A forked
 * child has none of the threads, and leaves the tree as it is. */
#ifndef MODFS_CORE_TREE_H
#define MODFS_CORE_TREE_H

#include <modfs/extension.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/base/job_context.h"
#include "core/fs/choice.h"

/* The directory of a node on one side; tree_handles.c. */
typedef struct tree_handle {
  fs_directory directory;
  struct tree_handle *older, *newer; /* in the list of idle handles */
  uint64_t device, inode;            /* noted when it was closed; both 0: none were */
  unsigned users;
  int state;
} tree_handle;

/* A directory that is not done yet. */
typedef struct tree_node {
  struct tree_node *parent, *next;
  tree_handle handles[2];
  uint64_t number;
  size_t below;  /* tasks not done: entries, directories, and itself until it is listed */
  size_t length; /* of its path below the root */
  size_t depth;  /* below the root */
  bool entered;
  bool listed;   /* its listing was begun */
  bool torn;     /* its listing failed */
  bool spoilt;   /* something in it failed */
  bool gone;     /* it no longer existed */
  bool kept;     /* an entry below it was not chosen */
  bool included; /* choice_includes */
  bool fresh;    /* its counterpart was created by this operation, so it is empty */
  bool linked;   /* it is a link in the source, which is followed */
  bool narrow; /* its counterpart must not be open to more than it is, though modes are not kept */
  bool made;   /* its counterpart exists */
  modfs_attributes *own; /* of the source's directory, if they are needed; freed with the node */
  char name[];
} tree_node;

/* An entry that is no directory. Its name is "" for a root that is none itself. */
typedef struct tree_item {
  struct tree_item *next;
  tree_node *node;
  int kind;
  char name[];
} tree_item;

typedef struct tree_path {
  char *text;
  size_t stem, room; /* stem: length of the directory's part, with its slash */
  uint64_t number;   /* of that directory's node; 0: none */
  uint64_t above;    /* of that node's parent; 0: none */
} tree_path;

/* A worker: what belongs to one thread. */
typedef struct tree_worker {
  modfs_tree *tree;
  TF_Status *status;
  TF_Status *closing; /* for handles that are closed in passing, so that status is kept */
  tree_path paths[2];
  tree_node *pinned[2];     /* the nodes whose handles it uses */
  modfs_tree_counts counts; /* of the current task */
  uint64_t told;            /* bytes of the file being copied that were reported */
  uint64_t seen, under_way; /* the same for jobs; of all files of the current task */
  pthread_t thread;
} tree_worker;

typedef struct tree_side {
  const modfs_fs *fs;
  char *root;
  const fs_directory *above; /* the root is the entry name in it; NULL: opened by its path */
  const char *name;
} tree_side;

typedef struct tree_ops {
  const char *name; /* of the operation, for messages */
  bool may_vanish;  /* entries deleted meanwhile are no failure */
  bool empties;     /* directories are listed even if nothing in them can be chosen */
  unsigned at_once; /* the most entries that one task takes */
  bool (*enter)(tree_worker *worker, tree_node *node); /* false: do not list it; may be NULL */
  void (*entry)(tree_worker *worker, tree_node *node, const char *name, int kind);
  void (*leave)(tree_worker *worker, tree_node *node); /* may be NULL */
} tree_ops;

typedef struct tree_event {
  uint64_t done;
  char *path;
} tree_event;

/* Threads wait when TREE_LEAD events are not taken; the caller's own task may add some beyond. */
enum { TREE_EVENTS = 256, TREE_LEAD = 32, TREE_HANDS = 64 };

/* Tasks in the queue for each thread that is there which make another worth it. */
enum { TREE_WORTH_A_THREAD = 4 };

/* Whether the counts of an operation are the totals of one to come, and of what. */
typedef enum tree_ahead { TREE_NOT_AHEAD, TREE_FILES_AHEAD, TREE_ALL_AHEAD } tree_ahead;

typedef struct tree_identity {
  uint64_t device, inode; /* both 0: free */
} tree_identity;

/* Files that a measuring operation has met. */
typedef struct tree_seen {
  tree_identity *places;
  size_t count, room;
} tree_seen;

struct modfs_tree {
  const tree_ops *ops;
  tree_side sides[2]; /* source and target */
  modfs_tree_options options;
  size_t stem; /* length of what precedes, in the source's paths, the part that is chosen by */
  bool stepping, abandoned; /* the caller's thread is in a step; it closed the tree in that step */
  size_t in_flight;         /* requests worth having in flight: the greater of both sides */
  bool keeps_links;         /* a link is created as such in the target */
  uint64_t wanted;          /* the attributes that copies get: MODFS_ATTRIBUTE_… */
  uint64_t insists;         /* of these, those for which it is a failure if they cannot be kept */
  bool keeps_xattrs, insists_on_xattrs; /* the same of extended attributes */
  modfs_transaction *transaction; /* in which all is written; NULL: none, or one of the caller's */
  unsigned epoch;
  pthread_mutex_t lock;   /* guards all below */
  pthread_cond_t changed; /* broadcast: an event, a handle, the end */
  pthread_cond_t tasks;   /* for one idle worker */
  tree_item *items;
  tree_node *open, *directories; /* directories whose listing was begun; those where it was not */
  size_t queued;                 /* length of items */
  size_t busy, workers;          /* workers with a task; threads started */
  size_t waiting, idle;          /* those that wait for a change; threads without a task */
  bool caller_idle;              /* the caller waits, and would take a task */
  bool called;                   /* one of the idle is being woken */
  tree_handle *oldest, *newest;  /* idle handles */
  size_t handles, most_handles;  /* open ones, and how many before idle ones are closed */
  uint64_t numbers;
  job_context context; /* of the workers' threads, as jobs that step the tree come and go */
  atomic_bool cancelled;
  atomic_bool broken_off;  /* cancelled by the operation itself: it would never end */
  atomic_bool wants_items; /* workers would soon have none; read by listers without the lock */
  bool closing;
  modfs_tree_counts counts;
  uint64_t total_files, total_bytes; /* that were counted before; 0: not known */
  uint64_t under_way;                /* bytes of tasks that are not in counts yet */
  tree_ahead ahead;
  tree_seen seen;
  job_context *stepper; /* of the job that steps the tree; NULL: none does */
  modfs_tree_error *errors;
  size_t error_count;
  tree_event events[TREE_EVENTS];
  size_t event_first, event_count;
  char *shown;     /* the path of the event returned last */
  bool has_target; /* the next two name it */
  uint64_t target_device, target_inode;
  tree_worker own, others[TREE_HANDS];
};

/* A new operation with its root in the queue; NULL when memory is short. to and dst may be NULL. */
modfs_tree *tree_new(const tree_ops *ops, const modfs_fs *from, const char *src, const modfs_fs *to,
                     const char *dst, const modfs_tree_options *options, TF_Status *status);

/* A new operation whose root is an entry of a directory that stays open, instead of being opened by
 * its path, which only shows it. */
modfs_tree *tree_new_below(const tree_ops *ops, const fs_directory *above, const char *name,
                           const char *shown, TF_Status *status);

/* Makes opening the root fail unless it is the directory with these attributes. */
void tree_expect(modfs_tree *tree, const modfs_attributes *attributes);

/* Makes the root a single entry instead of a directory. */
void tree_is_entry(modfs_tree *tree, int kind);

/* tree_choice.c. Whether an entry of one side is chosen. A failure to find out is noted, and means
 * no, as does a cancelled operation. What is not chosen is kept, and so is the directory. */
bool tree_chooses(tree_worker *worker, tree_node *node, int side, const char *name, int kind);

/* Sets whether a new directory, in the tree already, is included. */
void tree_include(tree_worker *worker, tree_node *node);

/* Makes a new operation within a worker's, on the entry name of the target's directory, choose as
 * that one does, and change nothing if that does not. */
void tree_choose_like(modfs_tree *tree, tree_worker *worker, tree_node *node, const char *name);

/* The tree's lock. Waking and waiting require it. */
void tree_lock(modfs_tree *tree);
void tree_unlock(modfs_tree *tree);
void tree_wake(modfs_tree *tree);
void tree_wait(modfs_tree *tree);

/* Wakes one of the idle workers if there is a task: the lock is held, as for waking. */
void tree_offer(modfs_tree *tree);

/* What one piece of a listing found. */
typedef struct tree_findings {
  tree_item *items, *last_item;
  tree_node *directories, *last_directory;
  size_t item_count, count;
  size_t room;  /* the most items to queue */
  size_t spare; /* how many more entries may be done at once when there is no room */
} tree_findings;

/* What the next piece of a listing may queue, and do at once. */
tree_findings tree_find_room(modfs_tree *tree);

/* Queues what a piece found and, if there is more, the node for its next piece. */
void tree_put(modfs_tree *tree, tree_node *node, const tree_findings *found, bool more);

/* Takes the next task: items, or a node to list; false when there is none. The lock is held. */
bool tree_take(modfs_tree *tree, tree_item **items, tree_node **node);

/* Both return NULL when memory is short. */
tree_node *tree_node_new(modfs_tree *tree, tree_node *parent, const char *name);
tree_item *tree_item_new(tree_node *node, const char *name, int kind);

/* Enters a directory and begins its listing. False when it is not to be listed, or cannot be, which
 * is noted unless it no longer exists and may vanish. */
bool tree_begin(tree_worker *worker, tree_node *node);

/* Lists the next piece; false at the end, or after a failure, which is noted. */
bool tree_list_piece(tree_worker *worker, tree_node *node, tree_findings *found);

/* Counts n tasks below a node as done; leaves and frees each node that has none left. */
void tree_settle(tree_worker *worker, tree_node *node, size_t n);

/* The path of an entry on one side, or of the directory where name is "". Valid until the next call
 * for the same side. NULL, after noting it, when memory is short. */
const char *tree_path_of(tree_worker *worker, int side, const tree_node *node, const char *name);

/* Notes a failure of the whole tree, and cancels the operation. */
void tree_break_off(tree_worker *worker);

/* Records the failure in the worker's status, with the path it is about, and spoils the node. */
void tree_note(tree_worker *worker, tree_node *node, const char *path);

/* Adds to the counts of the current task, which go to the tree's when it ends. */
void tree_count(tree_worker *worker, modfs_tree_counts more);

/* Adds the counts of a task that has ended to the tree's. The lock is held. */
void tree_add_results(tree_worker *worker);

/* Reports a file of the source as done, for progress. */
void tree_report(tree_worker *worker, const tree_node *node, const char *name, uint64_t bytes);

/* Reports how many bytes of it are done so far. */
void tree_report_part(tree_worker *worker, const tree_node *node, const char *name, uint64_t bytes);

/* The directory of a node on one side, valid until the worker asks for another node's on that side.
 * NULL on failure: tree_open leaves it in the worker's status, tree_directory notes it. */
fs_directory *tree_open(tree_worker *worker, tree_node *node, int side);
fs_directory *tree_directory(tree_worker *worker, tree_node *node, int side);

/* Ends the worker's use of its handles; required before anything that may free a node. */
void tree_unpin(tree_worker *worker, int side);
void tree_unpin_all(tree_worker *worker);

/* Keep the source's handle of a node open while it is listed, and end that. */
void tree_keep_open(tree_worker *worker, tree_node *node);
void tree_release(tree_worker *worker, tree_node *node);

/* tree_reopen_above opens the handles of a node's parent again before the node is freed, by "..";
 * tree_handles_close closes the node's own. */
void tree_reopen_above(tree_worker *worker, tree_node *node);
void tree_handles_close(modfs_tree *tree, tree_node *node);
void tree_handles_init(modfs_tree *tree);

/* Records the failure in the worker's status for an entry of one side. */
void tree_fail(tree_worker *worker, tree_node *node, int side, const char *name);

/* A number that no other call for the same operation returns. */
uint64_t tree_number(modfs_tree *tree);

/* Whether a name is that of a root that is no directory, which is accessed by the user's path. */
bool tree_is_named(const tree_node *node, const char *name);

/* Tells the job that steps the tree how far that is. The lock is held. */
void tree_tell(modfs_tree *tree);

/* The counts of modfs_tree_measure, of as much as can be read; choice may be NULL. */
modfs_tree_counts tree_measured(const modfs_fs *fs, const char *path, size_t threads,
                                modfs_choice *choice, tree_ahead ahead);

#endif
