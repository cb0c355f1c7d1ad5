/* What the plugin's threads have reached, for the one thread that wants to know. */
#include "callbacks.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "registry.h"
#include "status.h"

enum { UNDER_WAY_MAX = 1 << 20 };

struct callback {
  modfs_callbacks *queue;
  unsigned epoch; /* of the process that enqueued it */
  uint64_t number;
  callback *next;
};

struct modfs_callbacks {
  pthread_mutex_t lock;
  size_t references; /* of the owner, and of each callback under way; all under the lock */
  bool closed;
  callback *first, *last;
  size_t under_way;
  int descriptor;
  unsigned epoch; /* of the process whose queue it is */
};

static int new_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static void drop_all(modfs_callbacks *queue) {
  for (callback *waiting = queue->first, *next; waiting; waiting = next) {
    next = waiting->next;
    free(waiting);
  }
  queue->first = queue->last = NULL;
}

/* In the child of a fork what the parent has under way comes to nobody, and a list that another
 * thread was changing is nothing to look at. The descriptor was shared. */
static void leave_parent(modfs_callbacks *queue) {
  if (queue->epoch == registry_epoch()) return;
  queue->epoch = registry_epoch();
  if (pthread_mutex_trylock(&queue->lock) == 0) {
    drop_all(queue);
    pthread_mutex_unlock(&queue->lock);
  }
  pthread_mutex_init(&queue->lock, NULL);
  queue->first = queue->last = NULL;
  queue->references = 1;
  queue->under_way = 0;
  close(queue->descriptor);
  queue->descriptor = new_descriptor();
}

modfs_callbacks *modfs_callbacks_open(TF_Status *status) {
  modfs_callbacks *queue = calloc(1, sizeof *queue);
  status_clear(status);
  int descriptor = new_descriptor();
  if (!queue || descriptor < 0) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory or descriptor for a callback queue");
    if (descriptor >= 0) close(descriptor);
    free(queue);
    return NULL;
  }
  pthread_mutex_init(&queue->lock, NULL);
  queue->descriptor = descriptor;
  queue->references = 1;
  queue->epoch = registry_epoch();
  return queue;
}

/* Called with the lock held; gives it back. */
static void drop_reference(modfs_callbacks *queue) {
  bool last = --queue->references == 0;
  pthread_mutex_unlock(&queue->lock);
  if (!last) return;
  pthread_mutex_destroy(&queue->lock);
  close(queue->descriptor);
  free(queue);
}

void modfs_callbacks_close(modfs_callbacks *queue) {
  if (!queue) return;
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  queue->closed = true;
  drop_all(queue);
  drop_reference(queue);
}

callback *callback_new(modfs_callbacks *queue, uint64_t number, TF_Status *status) {
  callback *made = malloc(sizeof *made);
  if (!made) {
    status_no_memory(status);
    return NULL;
  }
  *made = (callback){queue, registry_epoch(), number, NULL};
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  bool room = queue->under_way < UNDER_WAY_MAX;
  queue->under_way += room;
  queue->references += room;
  pthread_mutex_unlock(&queue->lock);
  if (room) return made;
  free(made);
  modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "%d callbacks are under way: let some run first",
                   UNDER_WAY_MAX);
  return NULL;
}

/* The eventfd counts up to one: it is written only when the queue was empty. */
void callback_arrive(callback *arrived) {
  modfs_callbacks *queue = arrived->queue;
  uint64_t one = 1;
  pthread_mutex_lock(&queue->lock);
  bool dropped = queue->closed;
  if (!dropped) {
    bool wakes = queue->first == NULL;
    arrived->next = NULL;
    *(wakes ? &queue->first : &queue->last->next) = arrived;
    queue->last = arrived;
    if (wakes && write(queue->descriptor, &one, sizeof one) < 0)
      dropped = false; /* full means readable, which is all it has to be */
  }
  drop_reference(queue);
  if (dropped) free(arrived);
}

void callback_cancel(callback *cancelled) {
  if (!cancelled) return;
  if (cancelled->epoch == registry_epoch()) {
    pthread_mutex_lock(&cancelled->queue->lock);
    cancelled->queue->under_way--;
    drop_reference(cancelled->queue);
  }
  free(cancelled);
}

bool modfs_callbacks_take(modfs_callbacks *queue, uint64_t *number) {
  uint64_t count;
  leave_parent(queue);
  pthread_mutex_lock(&queue->lock);
  callback *taken = queue->first;
  if (taken) {
    queue->first = taken->next;
    queue->under_way--;
    if (!queue->first && read(queue->descriptor, &count, sizeof count) < 0)
      count = 0; /* empty means not readable, which is all it has to be */
  }
  pthread_mutex_unlock(&queue->lock);
  if (!taken) return false;
  *number = taken->number;
  free(taken);
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

int modfs_callbacks_descriptor(modfs_callbacks *queue) {
  leave_parent(queue);
  return queue->descriptor;
}
