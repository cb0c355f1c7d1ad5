/* Callbacks of the conformance runner for devices, and gates that block a device inside them. */
#ifndef MODFS_JUDGE_CALL_H
#define MODFS_JUDGE_CALL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <modfs/status.h>

/* Closed until it is opened. Waiting threads give up after some seconds and open it. */
typedef struct judge_gate {
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool open;
  int waiting;
  double delay; /* of the thread that opens it later */
} judge_gate;

typedef struct judge_call {
  judge_gate *gate; /* NULL: none */
  TF_Code code;     /* the status that it sets */
  double seconds;   /* how long it runs */
  pthread_t caller; /* valid while entered */
  atomic_bool entered;
  atomic_int begun, ended;
  atomic_long order;   /* position of its end among all calls; 0: not ended */
  atomic_bool at_once; /* it ran on the enqueuing thread, inside the slot */
  atomic_bool without_status, status_not_ok;
} judge_call;

void judge_gate_init(judge_gate *gate);
void judge_gate_open(judge_gate *gate);
/* Opens the gate after some seconds, on a detached thread. Owns: the gate must live until then. */
bool judge_gate_open_later(judge_gate *gate, double seconds);
/* Waits until a call waits at the gate, or until the time is up; whether one does. */
bool judge_gate_meet(judge_gate *gate, double seconds);

/* Called before and after the call is passed to the plugin. */
void judge_call_enter(judge_call *call);
void judge_call_leave(judge_call *call);
/* The SE_StatusCallbackFn; argument is the call. */
void judge_call_run(void *const argument, TF_Status *const status);
/* Waits until it has ended that many times, or until the time is up; whether it has. */
bool judge_call_await(judge_call *call, int times, double seconds);

#endif
