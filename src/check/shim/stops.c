/* Holding one thread in the middle of a call of the plugin, so that another call overlaps with it.
 *
 * A thread that wants to be held sets k, what to do, and for whom, for itself alone: all of it is
 * thread-local. Each point inside counts k down; at 0 the thread leaves the plugin's call for as long as
 * hold runs, so that nothing of it is counted, recorded as the plugin's, or held again.
 *
 * Points lie before an allocation or a release, before a system call, before a lock is asked for and after
 * it was released; the shim holds no lock there, the plugin may. `waiting` counts the threads inside that
 * found a lock taken and wait for it; it is the only thing shared, an atomic. Nothing to free. Fork: a
 * child has a copy of its thread's k; hold is the runner's, which forks no process while it is set. */
#include "stops.h"

#include <stdatomic.h>

#include "memory.h"

/* Initial-exec: as in table.c, this is read inside malloc. */
#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

THREAD_LOCAL size_t left;
THREAD_LOCAL void (*action)(void *context);
THREAD_LOCAL void *argument;

static atomic_size_t waiting;

void stops_set(size_t k, void (*hold)(void *context), void *context) {
  left = k;
  action = hold;
  argument = context;
}

void stops_meet(void) {
  if (!left || !shim_is_inside() || --left) return;
  int depth = shim_step_out();
  action(argument);
  shim_step_in(depth);
}

size_t stops_waiting(void) {
  return waiting;
}

void stops_wait(int change) {
  if (change > 0)
    waiting++;
  else
    waiting--;
}
