/* Threads that wait for a device.
 *
 * `entered` is set by the thread right before it calls the slot, `returned` after it has written `code`
 * and `message`, which are constant from then on. The other members are constant while the thread runs.
 * A slot that never returns keeps its thread: the case fails, and the process ends with it.
 *
 * Who frees: the waiter belongs to the case; the thread frees the status that it makes. Fork: none. */
#include "waiter.h"

#include <pthread.h>
#include <stdio.h>

#include "process.h"

static void wait_for(const runner_waiter *waiter, TF_Status *status) {
  const SP_StreamExecutor *executor = runner_executor(waiter->device);
  const SP_Device *device = runner_device_of(waiter->device);
  if (waiter->kind == RUNNER_WAIT_EVENT)
    executor->block_host_for_event(device, waiter->event, status);
  else if (waiter->kind == RUNNER_WAIT_STREAM)
    executor->block_host_until_done(device, waiter->stream, status);
  else
    executor->synchronize_all_activity(device, status);
}

static void *run(void *context) {
  runner_waiter *waiter = context;
  TF_Status *status = TF_NewStatus();
  atomic_store(&waiter->entered, true);
  wait_for(waiter, status);
  waiter->code = TF_GetCode(status);
  snprintf(waiter->message, sizeof waiter->message, "%s", TF_Message(status));
  TF_DeleteStatus(status);
  atomic_store(&waiter->returned, true);
  return NULL;
}

bool runner_waiter_start(runner_waiter *waiter) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, waiter) != 0) return false;
  pthread_detach(thread);
  while (!atomic_load(&waiter->entered))
    runner_rest(0.0002);
  return true;
}

bool runner_waiter_await(runner_waiter *waiter, double seconds) {
  for (long left = (long)(seconds * 2000); left > 0 && !atomic_load(&waiter->returned); left--)
    runner_rest(0.0005);
  return atomic_load(&waiter->returned);
}
