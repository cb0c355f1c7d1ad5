/* Callbacks and gates for device cases.
 *
 * A gate is closed, then open, and stays open. `open` and `waiting` are under gate->lock; waits use the
 * monotonic clock and end after PATIENCE seconds, so a device that never continues fails a case instead
 * of hanging it. A call's members are atomics: the worker of a device writes them, the case reads them.
 * `caller` is written before `entered` is set and is read only while it is.
 *
 * Who frees: gates and calls belong to the case, which waits for the device first. Fork: none here. */
#include "call.h"

#include <errno.h>
#include <time.h>

enum { PATIENCE = 5 };

static atomic_long ends;

static struct timespec from_now(double seconds) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  long nanoseconds = time.tv_nsec + (long)((seconds - (double)(long)seconds) * 1e9);
  time.tv_sec += (time_t)seconds + nanoseconds / 1000000000L;
  time.tv_nsec = nanoseconds % 1000000000L;
  return time;
}

static void rest(double seconds) {
  struct timespec time = from_now(seconds);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
    continue;
}

/* Gates ------------------------------------------------------------------------------ */

void runner_gate_init(runner_gate *gate) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&gate->lock, NULL);
  pthread_cond_init(&gate->change, &attributes);
  pthread_condattr_destroy(&attributes);
  gate->open = false;
  gate->waiting = 0;
}

void runner_gate_open(runner_gate *gate) {
  pthread_mutex_lock(&gate->lock);
  gate->open = true;
  pthread_cond_broadcast(&gate->change);
  pthread_mutex_unlock(&gate->lock);
}

bool runner_gate_is_closed(runner_gate *gate) {
  pthread_mutex_lock(&gate->lock);
  bool closed = !gate->open;
  pthread_mutex_unlock(&gate->lock);
  return closed;
}

static void *open_later(void *context) {
  runner_gate *gate = context;
  rest(gate->delay);
  runner_gate_open(gate);
  return NULL;
}

bool runner_gate_open_later(runner_gate *gate, double seconds) {
  pthread_t thread;
  gate->delay = seconds;
  if (pthread_create(&thread, NULL, open_later, gate) != 0) return false;
  pthread_detach(thread);
  return true;
}

static void pass_gate(runner_gate *gate) {
  struct timespec end = from_now(PATIENCE);
  pthread_mutex_lock(&gate->lock);
  gate->waiting++;
  pthread_cond_broadcast(&gate->change);
  while (!gate->open && pthread_cond_timedwait(&gate->change, &gate->lock, &end) == 0)
    continue;
  gate->open = true;
  gate->waiting--;
  pthread_mutex_unlock(&gate->lock);
}

bool runner_gate_meet(runner_gate *gate, double seconds) {
  struct timespec end = from_now(seconds);
  pthread_mutex_lock(&gate->lock);
  while (!gate->open && gate->waiting == 0 &&
         pthread_cond_timedwait(&gate->change, &gate->lock, &end) == 0)
    continue;
  bool met = !gate->open && gate->waiting > 0;
  pthread_mutex_unlock(&gate->lock);
  return met;
}

/* Calls ------------------------------------------------------------------------------ */

static long long now(void) {
  struct timespec time = from_now(0);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

void runner_call_enter(runner_call *call) {
  call->caller = pthread_self();
  atomic_store(&call->entered, true);
}

void runner_call_leave(runner_call *call) {
  atomic_store(&call->entered, false);
}

/* Notes how the device calls. On the enqueuing thread a closed gate would never be opened. */
static void look_where(runner_call *call, const TF_Status *status) {
  if (atomic_load(&call->entered) && pthread_equal(call->caller, pthread_self()))
    atomic_store(&call->at_once, true);
  if (!status)
    atomic_store(&call->without_status, true);
  else if (TF_GetCode(status) != TF_OK)
    atomic_store(&call->status_not_ok, true);
}

void runner_call_run(void *const argument, TF_Status *const status) {
  runner_call *call = argument;
  look_where(call, status);
  atomic_store(&call->began_at, now());
  atomic_fetch_add(&call->begun, 1);
  if (call->gate && atomic_load(&call->at_once))
    runner_gate_open(call->gate);
  else if (call->gate)
    pass_gate(call->gate);
  if (call->seconds > 0) rest(call->seconds);
  if (status && call->code != TF_OK)
    TF_SetStatus(status, call->code, "the runner's callback fails");
  atomic_store(&call->ended_at, now());
  atomic_store(&call->order, atomic_fetch_add(&ends, 1) + 1);
  atomic_fetch_add(&call->ended, 1);
}

bool runner_call_await(runner_call *call, int times, double seconds) {
  long left = (long)(seconds * 2000);
  while (atomic_load(&call->ended) < times && left-- > 0)
    rest(0.0005);
  return atomic_load(&call->ended) >= times;
}
