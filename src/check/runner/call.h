/* Callbacks of the conformance runner for devices, and gates that block a device inside them. */
#ifndef MODFS_RUNNER_CALL_H
#define MODFS_RUNNER_CALL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <modfs/status.h>

/* Closed until it is opened. Waiting threads give up after some seconds and open it. */
typedef struct runner_gate {
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool open;
  int waiting;
  double delay; /* of the thread that opens it later */
} runner_gate;

typedef struct runner_call {
  runner_gate *gate; /* NULL: none */
  TF_Code code;      /* the status that it sets */
  double seconds;    /* how long it runs */
  pthread_t caller;  /* valid while entered */
  atomic_bool entered;
  atomic_int begun, ended;
  atomic_long order;               /* position of its end among all calls; 0: not ended */
  atomic_llong began_at, ended_at; /* in nanoseconds of the monotonic clock; 0: not yet */
  atomic_bool at_once;             /* it ran on the enqueuing thread, inside the slot */
  atomic_bool without_status, status_not_ok;
} runner_call;

void runner_gate_init(runner_gate *gate);
void runner_gate_open(runner_gate *gate);
/* Opens the gate after some seconds, on a detached thread. Owns: the gate must live until then. */
bool runner_gate_open_later(runner_gate *gate, double seconds);
/* Whether it is closed: then no call has passed it. */
bool runner_gate_is_closed(runner_gate *gate);
/* Waits until a call waits at the gate, or until the time is up; whether one does. */
bool runner_gate_meet(runner_gate *gate, double seconds);

/* Called before and after the call is passed to the plugin. */
void runner_call_enter(runner_call *call);
void runner_call_leave(runner_call *call);
/* The SE_StatusCallbackFn; argument is the call. */
void runner_call_run(void *const argument, TF_Status *const status);
/* Waits until it has ended that many times, or until the time is up; whether it has. */
bool runner_call_await(runner_call *call, int times, double seconds);

#endif
