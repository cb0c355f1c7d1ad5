/* The workers of a tree (tree.h states the invariants of nodes and the lock).
 *
 * A worker takes a task under the lock, does it without, and adds up the result under it again;
 * tree_queue.c says which comes next.
 *
 * "busy" counts tasks being done: the operation is over when none is, the queue is empty and all
 * events were taken. The caller is a worker, too, in modfs_tree_step; with progress only where there
 * is no other, since it takes the events.
 *
 * A thread is started when enough tasks wait for each worker and none is idle, one for each task taken,
 * and lives until the tree is closed. Idle threads sleep on "tasks". Who puts or takes a task wakes one
 * of them, or the caller, if there are more tasks, and not before the last one woken has come ("called"):
 * so there are as many awake as tasks last, and short tasks wake few. Who waits for an event, a handle or
 * the end sleeps on "changed", which is broadcast.
 *
 * Cancelling makes running calls of plugins end early on the workers' threads, whose context says
 * so, and starts nothing new: tasks are still taken, and only counted as done, so that every node is
 * freed in the same way. The caller's own thread has the context of its job. modfs_tree_close cancels,
 * works until nothing is left, joins the threads, and frees all. In a forked child it frees nothing
 * and takes no lock: the threads do not exist there, and what they were changing cannot be known.
 */
#include "tree.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "core/base/interruption.h"
#include "core/base/path.h"
#include "core/base/status.h"

void tree_lock(modfs_tree *tree) {
  pthread_mutex_lock(&tree->lock);
}

void tree_unlock(modfs_tree *tree) {
  pthread_mutex_unlock(&tree->lock);
}

void tree_wake(modfs_tree *tree) {
  if (tree->waiting > 0) pthread_cond_broadcast(&tree->changed);
}

void tree_wait(modfs_tree *tree) {
  tree->waiting++;
  pthread_cond_wait(&tree->changed, &tree->lock);
  tree->waiting--;
}

static bool has_tasks(const modfs_tree *tree) {
  return tree->items || tree->open || tree->directories;
}

void tree_offer(modfs_tree *tree) {
  if (tree->called || !has_tasks(tree)) return;
  tree->called = tree->caller_idle || tree->idle > 0;
  if (tree->caller_idle)
    tree_wake(tree);
  else if (tree->idle > 0)
    pthread_cond_signal(&tree->tasks);
}

static void idle(modfs_tree *tree) {
  tree->idle++;
  pthread_cond_wait(&tree->tasks, &tree->lock);
  tree->idle--;
  tree->called = false;
}

/* Threads ---------------------------------------------------------------------------- */

static void *work(void *argument);

/* Whether the caller's thread is a worker, too. With progress it only takes events once there are
 * others, as it could not while it copies a large file. */
static bool caller_works(const modfs_tree *tree) {
  return tree->workers == 0 || !tree->options.progress;
}

static size_t at_work(const modfs_tree *tree) {
  return tree->workers + caller_works(tree);
}

/* The caller looks now and then whether the operation is to end. */
static void step_wait(modfs_tree *tree) {
  tree->waiting++;
  tree->caller_idle = caller_works(tree);
  interruption_wait(&tree->changed, &tree->lock);
  if (tree->caller_idle) tree->called = false;
  tree->caller_idle = false;
  tree->waiting--;
}

static bool worker_init(tree_worker *worker, modfs_tree *tree) {
  worker->tree = tree;
  worker->status = TF_NewStatus();
  worker->closing = TF_NewStatus();
  if (worker->status && worker->closing) return true;
  TF_DeleteStatus(worker->status);
  TF_DeleteStatus(worker->closing);
  worker->status = worker->closing = NULL;
  return false;
}

static void worker_fini(tree_worker *worker) {
  TF_DeleteStatus(worker->status);
  TF_DeleteStatus(worker->closing);
  free(worker->paths[0].text);
  free(worker->paths[1].text);
}

/* Signals are handled by the host's threads: all are blocked in this one. */
static void start_worker(modfs_tree *tree) {
  tree_worker *worker = &tree->others[tree->workers];
  sigset_t all, before;
  if (!worker_init(worker, tree)) return;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&worker->thread, NULL, work, worker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error == 0) {
    tree->workers++;
    return;
  }
  worker_fini(worker);
  tree->options.threads = at_work(tree); /* do not try again: stay with those that exist */
}

/* Starts a thread if the queue is worth it. The lock is held. Called for each task, so threads are
 * added one by one. */
static void spawn_workers(modfs_tree *tree) {
  size_t there = at_work(tree);
  size_t waiting = tree->queued + (tree->open != NULL);
  if (there >= tree->options.threads || tree->idle > 0) return;
  for (const tree_node *node = tree->directories; node && waiting < TREE_WORTH_A_THREAD * there;
       node = node->next)
    waiting++;
  if (waiting >= TREE_WORTH_A_THREAD * there) start_worker(tree);
}

/* Tasks ------------------------------------------------------------------------------ */

static void run_node(tree_worker *worker, tree_node *node) {
  modfs_tree *tree = worker->tree;
  tree_findings found = tree_find_room(tree);
  bool more = !tree->cancelled && (node->entered || tree_begin(worker, node));
  if (more) more = tree_list_piece(worker, node, &found);
  if (!more && node->listed) tree_release(worker, node);
  tree_unpin_all(worker);
  tree_put(tree, node, &found, more);
  if (!more) tree_settle(worker, node, 1);
}

static void run_items(tree_worker *worker, tree_item *item) {
  while (item) {
    tree_node *node = item->node;
    size_t n = 0;
    for (tree_item *next; item && item->node == node; item = next, n++) {
      next = item->next;
      if (!worker->tree->cancelled) worker->tree->ops->entry(worker, node, item->name, item->kind);
      free(item);
    }
    tree_unpin_all(worker);
    tree_settle(worker, node, n);
  }
}

/* Takes a task and does it; false when there is none. The lock is held before and after, not
 * meanwhile. */
static bool do_task(tree_worker *worker) {
  modfs_tree *tree = worker->tree;
  tree_item *items = NULL;
  tree_node *node = NULL;
  if (!tree_take(tree, &items, &node)) return false;
  spawn_workers(tree);
  tree_offer(tree);
  tree->busy++;
  tree_unlock(tree);
  if (items)
    run_items(worker, items);
  else
    run_node(worker, node);
  tree_lock(tree);
  tree_add_results(worker);
  if (--tree->busy == 0) tree_wake(tree);
  return true;
}

static void *work(void *argument) {
  tree_worker *worker = argument;
  modfs_tree *tree = worker->tree;
  job_context_enter(&tree->context);
  tree_lock(tree);
  while (!tree->closing)
    if (!do_task(worker)) idle(tree);
  tree_unlock(tree);
  return NULL;
}

/* The caller's side ------------------------------------------------------------------ */

static bool is_foreign(const modfs_tree *tree) {
  return tree->epoch != registry_epoch();
}

static bool take_event(modfs_tree *tree, modfs_tree_event *event) {
  if (tree->event_count == 0) return false;
  tree_event *first = &tree->events[tree->event_first];
  free(tree->shown);
  tree->shown = first->path;
  *event = (modfs_tree_event){first->done, tree->counts.total, first->path};
  if (event->total < event->done) event->total = event->done;
  tree->event_first = (tree->event_first + 1) % TREE_EVENTS;
  if (--tree->event_count == TREE_LEAD / 2) tree_wake(tree);
  return true;
}

static bool is_over(const modfs_tree *tree) {
  return tree->busy == 0 && tree->event_count == 0 && !has_tasks(tree);
}

/* The lock is held. */
static void cancel(modfs_tree *tree) {
  tree->cancelled = true;
  atomic_store(&tree->context.ends, TF_CANCELLED);
  while (tree->event_count > 0) {
    free(tree->events[tree->event_first].path);
    tree->event_first = (tree->event_first + 1) % TREE_EVENTS;
    tree->event_count--;
  }
  tree_wake(tree);
}

/* The job of the running thread, unless it steps a tree that this one is a part of. */
static job_context *job_to_tell(void) {
  job_context *job = job_context_here();
  return job && job->job && !job->told ? job : NULL;
}

static void tell_to(modfs_tree *tree, job_context *job, bool begins) {
  if (!job) return;
  if (begins) tree->stepper = job;
  tree_tell(tree);
  if (!begins) tree->stepper = NULL;
  job->told = begins;
}

/* Works, or waits for those who do, until there is an event, or all is done. */
static bool step(modfs_tree *tree, modfs_tree_event *event) {
  job_context *job = job_to_tell();
  tree_lock(tree);
  tell_to(tree, job, true);
  bool found = false, over = false;
  if (tree->options.progress && caller_works(tree) && tree->options.threads > 1) start_worker(tree);
  while (!found && !over) {
    if (interruption_is_wanted() && !tree->cancelled) cancel(tree);
    found = take_event(tree, event);
    if (found || (caller_works(tree) && do_task(&tree->own))) continue;
    over = is_over(tree);
    if (!over) step_wait(tree);
  }
  tell_to(tree, job, false);
  tree_unlock(tree);
  return found;
}

/* Without a commit the transaction is aborted when it is dropped. */
static void commit(modfs_tree *tree, TF_Status *status) {
  if (tree->transaction) modfs_transaction_commit(tree->transaction, status);
  modfs_transaction_drop(tree->transaction);
  tree->transaction = NULL;
}

bool modfs_tree_step(modfs_tree *tree, modfs_tree_event *event, TF_Status *status) {
  status_clear(status);
  if (is_foreign(tree)) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the tree operation belongs to the process that started it");
    status_locate(status, tree->ops->name, tree->sides[0].root);
    return false;
  }
  tree->stepping = true;
  bool found = step(tree, event);
  tree->stepping = false;
  status_clear(status); /* a filter may have used it */
  if (tree->abandoned) {
    modfs_tree_close(tree);
    return false;
  }
  if (!found && interruption_ends(status))
    status_locate(status, tree->ops->name, tree->sides[0].root);
  else if (!found && !tree->cancelled)
    commit(tree, status);
  return found;
}

void modfs_tree_cancel(modfs_tree *tree) {
  if (is_foreign(tree)) return;
  tree_lock(tree);
  cancel(tree);
  tree_unlock(tree);
}

/* A forked child reads without the lock: there are no workers, and it may be locked for good. */
static void lock_own(modfs_tree *tree) {
  if (!is_foreign(tree)) tree_lock(tree);
}

static void unlock_own(modfs_tree *tree) {
  if (!is_foreign(tree)) tree_unlock(tree);
}

modfs_tree_counts modfs_tree_result(modfs_tree *tree) {
  lock_own(tree);
  modfs_tree_counts counts = tree->counts;
  unlock_own(tree);
  return counts;
}

bool modfs_tree_was_cancelled(const modfs_tree *tree) {
  return tree->cancelled && !tree->broken_off;
}

bool modfs_tree_error_at(modfs_tree *tree, size_t index, modfs_tree_error *error) {
  lock_own(tree);
  bool found = index < tree->error_count;
  if (found) *error = tree->errors[index];
  unlock_own(tree);
  return found;
}

/* Begin and end ---------------------------------------------------------------------- */

static size_t cores(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 1 ? (size_t)n : 1;
}

static size_t in_flight(const modfs_fs *fs) {
  uint64_t n = fs ? fs->extension.in_flight : 0;
  return n < TREE_HANDS ? (size_t)n : TREE_HANDS;
}

/* Local storage gains nothing from more than MOST_LOCAL threads, which then wait for the kernel's locks;
 * storage that serves one call at a time gains nothing from a second one. */
static size_t threads_worth(size_t from, size_t to) {
  enum { MOST_LOCAL = 8 };
  size_t ours = cores(), most = from > to ? from : to;
  if (from == 1 && to == 1) return 1;
  if (ours > MOST_LOCAL) ours = MOST_LOCAL;
  return most > ours ? most : ours;
}

static bool tree_fill(modfs_tree *tree, const char *src, const char *dst) {
  const modfs_fs *target = tree->sides[1].fs ? tree->sides[1].fs : tree->sides[0].fs;
  size_t from = in_flight(tree->sides[0].fs), to = in_flight(target);
  tree->in_flight = from > to ? from : to;
  if (choice_has_filter(tree->options.choice)) tree->options.threads = 1;
  if (tree->options.threads == 0) tree->options.threads = threads_worth(from, to);
  if (tree->options.threads > TREE_HANDS) tree->options.threads = TREE_HANDS;
  tree->sides[0].root = strdup(src);
  tree->sides[1].root = strdup(dst);
  tree->directories = tree_node_new(tree, NULL, "");
  tree_handles_init(tree);
  tree->stem = strlen(src) + path_wants_slash(src, strlen(src));
  return worker_init(&tree->own, tree) && tree->sides[0].root && tree->sides[1].root &&
         tree->directories;
}

modfs_tree *tree_new(const tree_ops *ops, const modfs_fs *from, const char *src, const modfs_fs *to,
                     const char *dst, const modfs_tree_options *options, TF_Status *status) {
  modfs_tree *tree = calloc(1, sizeof *tree);
  if (tree) {
    tree->ops = ops;
    tree->sides[0].fs = from;
    tree->sides[1].fs = to;
    tree->options = *options;
    choice_retain(options->choice);
    tree->epoch = registry_epoch();
    pthread_mutex_init(&tree->lock, NULL);
    pthread_cond_init(&tree->changed, NULL);
    pthread_cond_init(&tree->tasks, NULL);
    if (tree_fill(tree, src, dst ? dst : "")) return tree;
    modfs_tree_close(tree);
  }
  status_no_memory(status);
  return NULL;
}

void tree_expect(modfs_tree *tree, const modfs_attributes *attributes) {
  if (!tree->directories || directory_is_path(tree->sides[0].fs)) return;
  tree->directories->handles[0].device = attributes->device;
  tree->directories->handles[0].inode = attributes->inode;
}

void tree_is_entry(modfs_tree *tree, int kind) {
  tree_node *root = tree->directories;
  tree_item *item = tree_item_new(root, "", kind);
  if (!item) return;
  root->gone = true; /* there is no directory to leave */
  tree->directories = NULL;
  tree->items = item;
  tree->queued = 1;
}

/* In a forked child everything leaks: what the parent's threads were changing cannot be known. */
void modfs_tree_close(modfs_tree *tree) {
  modfs_tree_event event;
  if (!tree || is_foreign(tree)) return;
  if (tree->stepping) { /* in the filter: the step will close it */
    tree->abandoned = true;
    modfs_tree_cancel(tree);
    return;
  }
  if (tree->own.status) {
    modfs_tree_cancel(tree);
    while (step(tree, &event)) {
    }
  }
  tree_lock(tree);
  tree->closing = true;
  pthread_cond_broadcast(&tree->tasks);
  tree_unlock(tree);
  for (size_t i = 0; i < tree->workers; i++) {
    pthread_join(tree->others[i].thread, NULL);
    worker_fini(&tree->others[i]);
  }
  worker_fini(&tree->own);
  modfs_transaction_drop(tree->transaction);
  for (size_t i = 0; i < tree->error_count; i++) {
    free((char *)tree->errors[i].path);
    free((char *)tree->errors[i].message);
  }
  free(tree->errors);
  free(tree->seen.places);
  free(tree->shown);
  free(tree->directories); /* the root, when nothing was begun */
  modfs_choice_free(tree->options.choice);
  free(tree->sides[0].root);
  free(tree->sides[1].root);
  pthread_cond_destroy(&tree->tasks);
  pthread_cond_destroy(&tree->changed);
  pthread_mutex_destroy(&tree->lock);
  free(tree);
}
