/* Functions of the judge that a device calls back, and gates that hold a device up inside them. */
#ifndef MODFS_JUDGE_CALL_H
#define MODFS_JUDGE_CALL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <modfs/status.h>

/* Closed until it is opened; whoever waits at one gives up after some seconds. */
typedef struct judge_gate {
  pthread_mutex_t lock;
  pthread_cond_t change;
  bool open;
  int waiting;
  double delay; /* of the thread that opens it later */
} judge_gate;

typedef struct judge_call {
  judge_gate *gate; /* NULL: none */
  TF_Code code;     /* what it answers */
  double seconds;   /* how long it takes */
  pthread_t caller; /* while entered */
  atomic_bool entered;
  atomic_int begun, ended;
  atomic_long order;   /* of its end among all calls; 0: not yet */
  atomic_bool at_once; /* it ran on the thread that asked for it, before that went on */
  atomic_bool without_status, status_not_ok;
} judge_call;

void judge_gate_init(judge_gate *gate);
void judge_gate_open(judge_gate *gate);
/* Opens it after some seconds, on a thread of its own. */
bool judge_gate_open_later(judge_gate *gate, double seconds);
/* Waits until a call waits at it, or the seconds are over; whether one does. */
bool judge_gate_meet(judge_gate *gate, double seconds);

/* Before and after the call is given to the plugin. */
void judge_call_enter(judge_call *call);
void judge_call_leave(judge_call *call);
/* The SE_StatusCallbackFn; argument is the call. */
void judge_call_run(void *const argument, TF_Status *const status);
/* Waits until it has ended that often, or the seconds are over; whether it has. */
bool judge_call_await(judge_call *call, int times, double seconds);

#endif
