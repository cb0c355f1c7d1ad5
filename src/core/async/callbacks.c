/* The queue of callbacks that streams have reached, and of jobs that are done.
 *
 * A callback is pending (callback_init), then queued (callback_arrive), then taken, when its
 * number goes to the caller; or it is dropped unread, by closing the queue or by arriving at a
 * closed one; or it is cancelled while pending. Whoever takes or drops it calls its release, once.
 * A cancelled one stays its maker's, and release is not called.
 *
 * Plugin threads call callback_arrive and nothing else; all other functions belong to the one
 * thread that owns the queue. What arrives is put into a list, and the owner takes the whole of it at
 * once into another one, "ready", which is its own: so many callbacks cost one lock. The lock guards
 * the first list and the flags. It is taken last: no plugin, no Lua code and no release function runs
 * under it.
 *
 * References are counted: one of the owner, one of each callback that is pending or queued, where its maker
 * has not taken references for several. The last one destroys the lock and frees the queue, so a callback
 * may arrive after the owner has closed it.
 *
 * The queue is "filled" while one of the lists is not empty. The eventfd is readable exactly then, once
 * anybody can know: since its number was told, or while the owner sleeps. Before it sleeps the owner
 * lets other threads run, as waking up costs more than most jobs.
 *
 * In a forked child the owner's first call makes the queue new: lock and descriptor are replaced
 * (an eventfd is shared with the parent), the list is emptied, and the references of the parent's
 * pending callbacks no longer count; callback_cancel knows those by their epoch. */
#include "bell.h"
#include "job.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "core/base/status.h"

enum { UNDER_WAY_MAX = 1 << 20 };

struct modfs_callbacks {
  /* The owner's: */
  callback *ready; /* before those in the list */
  int descriptor;
  unsigned epoch; /* of the process that owns the queue */

  char apart[64]; /* a line of the cache: others write to what follows */
  pthread_mutex_t lock;
  atomic_size_t references; /* one of the owner, those of callbacks */
  /* Guarded by the lock: */
  callback *first, *last;
  bool closed, filled;
  bool is_known;    /* the descriptor's number was told */
  bool sleeps;      /* the owner waits for the descriptor */
  bool is_readable; /* the descriptor */
  bell bell;
};

static int new_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void callbacks_uncover(modfs_callbacks *queue, unsigned n) {
  if (atomic_fetch_sub_explicit(&queue->references, n, memory_order_acq_rel) > n) return;
  pthread_mutex_destroy(&queue->lock);
  free(queue);
}

static void end_callback(callback *taken) {
  modfs_callbacks *queue = taken->is_covered ? NULL : taken->queue;
  taken->release(taken);
  if (queue) callbacks_uncover(queue, 1);
}

static void drop_list(callback *first) {
  for (callback *waiting = first, *next; waiting; waiting = next) {
    next = waiting->next;
    end_callback(waiting);
  }
}

/* Takes the list out; the lock is held. */
static callback *take_list(modfs_callbacks *queue) {
  callback *first = queue->first;
  queue->first = queue->last = NULL;
  return first;
}

static void drop_all(callback *ready, callback *arrived) {
  drop_list(ready);
  drop_list(arrived);
}

/* A locked lock means that another thread was changing the list at the fork: then the list cannot
 * be read, and its callbacks leak. */
static void leave_parent(modfs_callbacks *queue) {
  if (queue->epoch == registry_epoch()) return;
  queue->epoch = registry_epoch();
  bool is_whole = pthread_mutex_trylock(&queue->lock) == 0;
  callback *arrived = take_list(queue), *ready = queue->ready;
  queue->ready = NULL;
  queue->filled = queue->is_readable = queue->sleeps = false;
  if (is_whole) pthread_mutex_unlock(&queue->lock);
  drop_all(ready, is_whole ? arrived : NULL);
  pthread_mutex_init(&queue->lock, NULL);
  atomic_store(&queue->references, 1);
  close(queue->descriptor);
  bell_fini(&queue->bell);
  queue->descriptor = new_descriptor();
}

modfs_callbacks *modfs_callbacks_open(TF_Status *status) {
  modfs_callbacks *queue = calloc(1, sizeof *queue);
  status_clear(status);
  int descriptor = new_descriptor();
  if (!queue || descriptor < 0) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED,
                 "cannot create a callback queue: out of memory or file descriptors");
    if (descriptor >= 0) close(descriptor);
    free(queue);
    return NULL;
  }
  pthread_mutex_init(&queue->lock, NULL);
  queue->descriptor = descriptor;
  atomic_init(&queue->references, 1);
  bell_init(&queue->bell);
  queue->epoch = registry_epoch();
  return queue;
}

/* The next of the queue's jobs that may still be told to end, or with all of them, the next one.
 * Ending one releases the lock, so that the list is searched from its start each time. */
static modfs_job *next_job(const modfs_callbacks *queue, bool all) {
  modfs_job *job = workers_unfinished();
  while (job && (job->arrival.queue != queue || (!all && job->context.ends)))
    job = job->links[JOB_UNFINISHED].after;
  return job;
}

static void end_jobs(const modfs_callbacks *queue) {
  workers_lock();
  for (modfs_job *job; (job = next_job(queue, false));)
    workers_end(job, TF_CANCELLED);
  while (next_job(queue, true))
    workers_wait(INT64_MAX);
  workers_unlock();
}

void modfs_callbacks_close(modfs_callbacks *queue) {
  if (!queue) return;
  leave_parent(queue);
  end_jobs(queue);
  pthread_mutex_lock(&queue->lock);
  queue->closed = true;
  callback *arrived = take_list(queue);
  pthread_mutex_unlock(&queue->lock);
  drop_all(queue->ready, arrived);
  close(queue->descriptor);
  bell_fini(&queue->bell);
  callbacks_uncover(queue, 1);
}

/* References for several may stay unused for long, where there are many streams: so they leave half of
 * the places for single ones. */
bool callbacks_cover(modfs_callbacks *queue, unsigned n) {
  const size_t most = n > 1 ? UNDER_WAY_MAX / 2 : UNDER_WAY_MAX;
  leave_parent(queue);
  if (atomic_fetch_add_explicit(&queue->references, n, memory_order_relaxed) + n <= most + 1)
    return true;
  callbacks_uncover(queue, n);
  return false;
}

void callback_init_covered(callback *self, modfs_callbacks *queue, uint64_t number,
                           void (*release)(callback *self)) {
  *self = (callback){queue, queue->epoch, true, number, release, NULL};
}

bool callback_init(callback *self, modfs_callbacks *queue, uint64_t number,
                   void (*release)(callback *self), TF_Status *status) {
  if (callbacks_cover(queue, 1)) {
    callback_init_covered(self, queue, number, release);
    self->is_covered = false;
    return true;
  }
  modfs_set_status(status, TF_RESOURCE_EXHAUSTED,
                   "%d callbacks are pending; run some of them first", UNDER_WAY_MAX);
  return false;
}

/* Makes the descriptor readable, if somebody can wait for it; the lock is held. A failed write means a
 * full counter, which is readable, too. */
static void raise_descriptor(modfs_callbacks *queue) {
  uint64_t one = 1;
  if (queue->is_readable || !queue->filled || (!queue->is_known && !queue->sleeps)) return;
  queue->is_readable = write(queue->descriptor, &one, sizeof one) == sizeof one || errno == EAGAIN;
}

static void lower_descriptor(modfs_callbacks *queue) {
  uint64_t count;
  if (!queue->is_readable) return;
  queue->is_readable = read(queue->descriptor, &count, sizeof count) < 0 && errno != EAGAIN;
}

void callback_arrive(callback *self) {
  modfs_callbacks *queue = self->queue;
  pthread_mutex_lock(&queue->lock);
  bool dropped = queue->closed, wakes = !dropped && !queue->filled;
  if (!dropped) {
    *(queue->first ? &queue->last->next : &queue->first) = self;
    queue->last = self;
    queue->filled = true;
    raise_descriptor(queue);
    if (wakes) bell_ring(&queue->bell);
  }
  pthread_mutex_unlock(&queue->lock);
  if (dropped) end_callback(self);
}

void callback_cancel(callback *self) {
  if (self->queue && !self->is_covered && self->epoch == registry_epoch())
    callbacks_uncover(self->queue, 1);
}

static void free_callback(callback *self) {
  free(self);
}

bool callbacks_put(modfs_callbacks *queue, uint64_t number, TF_Status *status) {
  callback *self = malloc(sizeof *self);
  status_clear(status);
  if (!self) {
    status_no_memory(status);
    return false;
  }
  if (!callback_init(self, queue, number, free_callback, status)) {
    free(self);
    return false;
  }
  callback_arrive(self);
  return true;
}

/* The owner takes what has arrived, when it has nothing left. */
static void fill_ready(modfs_callbacks *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->ready = take_list(queue);
  queue->filled = queue->ready != NULL;
  if (!queue->filled) lower_descriptor(queue);
  pthread_mutex_unlock(&queue->lock);
}

bool modfs_callbacks_take(modfs_callbacks *queue, uint64_t *number) {
  leave_parent(queue);
  if (!queue->ready) fill_ready(queue);
  callback *taken = queue->ready;
  if (!taken) return false;
  queue->ready = taken->next;
  if (!queue->ready) fill_ready(queue);
  *number = taken->number;
  end_callback(taken);
  return true;
}

/* Whether something is there; if not, and the owner is to sleep, its sleep is noted. */
static bool look(modfs_callbacks *queue, bool sleeps) {
  pthread_mutex_lock(&queue->lock);
  bool filled = queue->filled;
  queue->sleeps = sleeps && !filled;
  pthread_mutex_unlock(&queue->lock);
  return filled;
}

/* Lets other threads run, which may bring something. Where it is other programs that run instead, the
 * owner sleeps after the first time, as it is woken before those have had their turns. */
static bool yield_to_others(modfs_callbacks *queue) {
  enum { TIMES = 8, LONG = 100 * 1000 }; /* nanoseconds */
  bool filled = false;
  int64_t until = job_clock() + LONG;
  for (int i = 0; i < TIMES && !filled && job_clock() < until; i++) {
    sched_yield();
    filled = look(queue, false);
  }
  return filled;
}

bool modfs_callbacks_wait(modfs_callbacks *queue, double seconds) {
  leave_parent(queue);
  struct pollfd waiting = {queue->descriptor, POLLIN, 0};
  struct timespec limit = {0, 0};
  bool forever = !(seconds >= 0) || seconds > 1e9;
  if (!forever) {
    limit.tv_sec = (time_t)seconds;
    limit.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
  }
  if (look(queue, false)) return true;
  if (seconds == 0) return false;
  if (yield_to_others(queue) || look(queue, true)) return true;
  ppoll(&waiting, 1, forever ? NULL : &limit, NULL);
  return look(queue, false);
}

const char *callbacks_listen(modfs_callbacks *queue, TF_Status *status) {
  leave_parent(queue);
  return bell_listen(&queue->bell, status) ? queue->bell.path : NULL;
}

bool callbacks_accept(modfs_callbacks *queue, TF_Status *status) {
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  bool accepted = bell_accept(&queue->bell, status);
  if (accepted && queue->filled) bell_ring(&queue->bell);
  pthread_mutex_unlock(&queue->lock);
  return accepted;
}

int modfs_callbacks_descriptor(modfs_callbacks *queue) {
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  queue->is_known = true;
  raise_descriptor(queue);
  pthread_mutex_unlock(&queue->lock);
  return queue->descriptor;
}
