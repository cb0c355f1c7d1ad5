/* A callback, from the moment a stream enqueues it, or a job is started, until its number is taken
 * out of the queue. */
#ifndef MODFS_CORE_CALLBACKS_H
#define MODFS_CORE_CALLBACKS_H

#include <pthread.h>

#include <modfs/async.h>

/* Embedded in an object of its maker. The queue calls release, which frees that object, once the
 * callback has been taken or dropped. */
typedef struct callback {
  modfs_callbacks *queue; /* NULL: no callback */
  unsigned epoch;         /* of the process that enqueued it */
  bool is_covered;        /* by references that its maker has to the queue */
  uint64_t number;
  void (*release)(struct callback *self);
  struct callback *next;
} callback;

/* Makes a pending callback, which holds a reference to the queue. False when too many are pending.
 */
bool callback_init(callback *self, modfs_callbacks *queue, uint64_t number,
                   void (*release)(callback *self), TF_Status *status);

/* Takes references to the queue for so many callbacks, which callback_init_covered then makes; false
 * when too many are pending. callbacks_uncover gives them up, in the process that took them, when the
 * last of those was taken, dropped or cancelled. Threads: any for uncover. */
bool callbacks_cover(modfs_callbacks *queue, unsigned n);
void callbacks_uncover(modfs_callbacks *queue, unsigned n);
void callback_init_covered(callback *self, modfs_callbacks *queue, uint64_t number,
                           void (*release)(callback *self));

/* Puts it into the queue, which owns it from now on. Threads: any. */
void callback_arrive(callback *self);

/* Ends a pending callback that will never arrive; its maker keeps the memory. Does nothing when
 * there is no callback. */
void callback_cancel(callback *self);

/* Puts a number into the queue by itself. Errors: RESOURCE_EXHAUSTED. */
bool callbacks_put(modfs_callbacks *queue, uint64_t number, TF_Status *status);

/* The path of a socket to which the owner's loop is to connect, in the thread that owns the queue;
 * NULL: the status says why. Then accept takes that connection: from now on it gets a byte when the
 * queue is no longer empty (bell.h). */
const char *callbacks_listen(modfs_callbacks *queue, TF_Status *status);
bool callbacks_accept(modfs_callbacks *queue, TF_Status *status);

#endif
