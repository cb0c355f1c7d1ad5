/* A callback on its way from a stream to a queue. */
#ifndef MODFS_CORE_CALLBACKS_H
#define MODFS_CORE_CALLBACKS_H

#include <pthread.h>

#include <modfs/device.h>

/* Lies in what its maker has; release ends that, once the callback was taken or dropped. */
typedef struct callback {
  modfs_callbacks *queue; /* NULL: none */
  unsigned epoch;         /* of the process that enqueued it */
  uint64_t number;
  void (*release)(struct callback *self);
  struct callback *next;
} callback;

/* One that is under way; it holds the queue. False when too many are. */
bool callback_init(callback *self, modfs_callbacks *queue, uint64_t number,
                   void (*release)(callback *self), TF_Status *status);

/* It is there, and the queue's from now on: any thread may say so. */
void callback_arrive(callback *self);

/* It will never come; it stays its maker's. Nothing happens to none. */
void callback_cancel(callback *self);

#endif
