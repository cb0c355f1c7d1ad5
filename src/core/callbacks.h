/* A callback on its way from a stream to a queue. */
#ifndef MODFS_CORE_CALLBACKS_H
#define MODFS_CORE_CALLBACKS_H

#include <pthread.h>

#include <modfs/device.h>

typedef struct callback callback;

/* One that is under way; it holds the queue. NULL on failure. */
callback *callback_new(modfs_callbacks *queue, uint64_t number, TF_Status *status);

/* It is there: any thread may say so. */
void callback_arrive(callback *arrived);

/* It will never come; NULL is allowed. */
void callback_cancel(callback *cancelled);

#endif
