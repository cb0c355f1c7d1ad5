/* The queue of callbacks that streams have reached, and of jobs that are done.
 *
 * A callback is pending (callback_init), then queued (callback_arrive), then taken, when its
 * number goes to the caller; or it is dropped unread, by closing the queue or by arriving at a
 * closed one; or it is cancelled while pending. Whoever takes or drops it calls its release, once.
 * A cancelled one stays its maker's, and release is not called.
 *
 * Plugin threads call callback_arrive and nothing else; all other functions belong to the one
 * thread that owns the queue. The lock guards "closed" and the list. It is taken last: no plugin
 * and no Lua code runs under it, and the release functions, which close calls under it, take no
 * lock.
 *
 * References are counted: one of the owner, one of each callback that is pending or queued. The
 * last one destroys the lock, closes the descriptor and frees the queue, so a callback may arrive
 * after the owner has closed it. The eventfd is readable exactly while the list is not empty.
 *
 * In a forked child the owner's first call makes the queue new: lock and descriptor are replaced
 * (an eventfd is shared with the parent), the list is emptied, and the references of the parent's
 * pending callbacks no longer count; callback_cancel knows those by their epoch. */
#include "bell.h"
#include "job.h"

#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/registry/registry.h"
#include "core/base/status.h"

enum { UNDER_WAY_MAX = 1 << 20 };

struct modfs_callbacks {
  pthread_mutex_t lock;
  atomic_size_t references; /* one of the owner, one of each callback */
  bool closed;              /* guarded by the lock, as is the list */
  callback *first, *last;
  int descriptor;
  bell bell;      /* guarded by the lock */
  unsigned epoch; /* of the process that owns the queue */
};

static int new_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static void drop_reference(modfs_callbacks *queue) {
  if (atomic_fetch_sub_explicit(&queue->references, 1, memory_order_acq_rel) > 1) return;
  pthread_mutex_destroy(&queue->lock);
  close(queue->descriptor);
  bell_fini(&queue->bell);
  free(queue);
}

static void end_callback(callback *taken) {
  modfs_callbacks *queue = taken->queue;
  taken->release(taken);
  drop_reference(queue);
}

static void drop_all(modfs_callbacks *queue) {
  for (callback *waiting = queue->first, *next; waiting; waiting = next) {
    next = waiting->next;
    end_callback(waiting);
  }
  queue->first = queue->last = NULL;
}

/* A locked lock means that another thread was changing the list at the fork: then the list cannot
 * be read, and its callbacks leak. */
static void leave_parent(modfs_callbacks *queue) {
  if (queue->epoch == registry_epoch()) return;
  queue->epoch = registry_epoch();
  if (pthread_mutex_trylock(&queue->lock) == 0) {
    drop_all(queue);
    pthread_mutex_unlock(&queue->lock);
  }
  pthread_mutex_init(&queue->lock, NULL);
  queue->first = queue->last = NULL;
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
  drop_all(queue);
  pthread_mutex_unlock(&queue->lock);
  drop_reference(queue);
}

bool callback_init(callback *self, modfs_callbacks *queue, uint64_t number,
                   void (*release)(callback *self), TF_Status *status) {
  leave_parent(queue);
  if (atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed) <= UNDER_WAY_MAX) {
    *self = (callback){queue, registry_epoch(), number, release, NULL};
    return true;
  }
  drop_reference(queue);
  modfs_set_status(status, TF_RESOURCE_EXHAUSTED,
                   "%d callbacks are pending; run some of them first", UNDER_WAY_MAX);
  return false;
}

/* The eventfd is written only when the list was empty, so its count never exceeds one. */
void callback_arrive(callback *self) {
  modfs_callbacks *queue = self->queue;
  uint64_t one = 1;
  pthread_mutex_lock(&queue->lock);
  bool dropped = queue->closed;
  if (!dropped) {
    bool wakes = queue->first == NULL;
    *(wakes ? &queue->first : &queue->last->next) = self;
    queue->last = self;
    if (wakes && write(queue->descriptor, &one, sizeof one) < 0)
      dropped = false; /* a failed write means a full counter, which is readable, too */
    if (wakes) bell_ring(&queue->bell);
  }
  pthread_mutex_unlock(&queue->lock);
  if (dropped) end_callback(self);
}

void callback_cancel(callback *self) {
  if (self->queue && self->epoch == registry_epoch()) drop_reference(self->queue);
}

bool modfs_callbacks_take(modfs_callbacks *queue, uint64_t *number) {
  uint64_t count;
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  callback *taken = queue->first;
  if (taken) {
    queue->first = taken->next;
    if (!queue->first && read(queue->descriptor, &count, sizeof count) < 0)
      count = 0; /* a failed read means an empty counter, which is what is wanted */
  }
  pthread_mutex_unlock(&queue->lock);
  if (!taken) return false;
  *number = taken->number;
  end_callback(taken);
  return true;
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
  return ppoll(&waiting, 1, forever ? NULL : &limit, NULL) > 0;
}

const char *callbacks_listen(modfs_callbacks *queue, TF_Status *status) {
  leave_parent(queue);
  return bell_listen(&queue->bell, status) ? queue->bell.path : NULL;
}

bool callbacks_accept(modfs_callbacks *queue, TF_Status *status) {
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  bool accepted = bell_accept(&queue->bell, status);
  if (accepted && queue->first) bell_ring(&queue->bell);
  pthread_mutex_unlock(&queue->lock);
  return accepted;
}

int modfs_callbacks_descriptor(modfs_callbacks *queue) {
  leave_parent(queue);
  return queue->descriptor;
}
