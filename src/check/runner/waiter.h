/* Threads that wait for a device while the case does something else. */
#ifndef MODFS_RUNNER_WAITER_H
#define MODFS_RUNNER_WAITER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device.h"

typedef enum runner_wait_kind {
  RUNNER_WAIT_EVENT,  /* block_host_for_event */
  RUNNER_WAIT_STREAM, /* block_host_until_done */
  RUNNER_WAIT_ALL     /* synchronize_all_activity */
} runner_wait_kind;

typedef struct runner_waiter {
  runner_device *device;
  runner_wait_kind kind;
  SP_Stream stream; /* of RUNNER_WAIT_STREAM */
  SP_Event event;   /* of RUNNER_WAIT_EVENT */
  atomic_bool entered, returned;
  TF_Code code; /* what the slot set; valid once it has returned, as is the message */
  char message[256];
} runner_waiter;

/* Starts the thread, detached, and waits until it is about to call the slot; false: no thread.
 * Owns: the waiter must live until it has returned. */
bool runner_waiter_start(runner_waiter *waiter);
/* Whether the slot has returned, or returns within some seconds. */
bool runner_waiter_await(runner_waiter *waiter, double seconds);

#endif
