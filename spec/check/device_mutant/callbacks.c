/* Callbacks: how often, when, in which order, with which status. */
#include "device_mutant.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define CALLBACK DEVICE, SP_Stream stream, SE_StatusCallbackFn function, void *argument

static TF_Bool twice(CALLBACK) {
  good.host_callback(device, stream, function, argument);
  return good.host_callback(device, stream, function, argument);
}
static TF_Bool never(CALLBACK) {
  return 1;
}
static TF_Bool answers_false(CALLBACK) {
  good.host_callback(device, stream, function, argument);
  return 0;
}
static TF_Bool early(CALLBACK) {
  TF_Status *status = TF_NewStatus();
  function(argument, status);
  TF_DeleteStatus(status);
  return 1;
}

/* A hidden stream for all of them. */
static TF_Bool elsewhere(CALLBACK) {
  static SP_Stream hidden;
  TF_Status *status = TF_NewStatus();
  if (!hidden) good.create_stream(device, &hidden, status);
  TF_DeleteStatus(status);
  return good.host_callback(device, hidden, function, argument);
}

/* From the tenth on, each second one waits for the next, and comes behind it. */
static struct {
  SE_StatusCallbackFn function;
  void *argument;
  SP_Stream stream;
  int count;
} kept;

static TF_Bool swaps(CALLBACK) {
  if (++kept.count > 10 && !kept.function) {
    kept.function = function, kept.argument = argument, kept.stream = stream;
    return 1;
  }
  good.host_callback(device, stream, function, argument);
  if (kept.function) good.host_callback(device, kept.stream, kept.function, kept.argument);
  kept.function = NULL;
  return 1;
}

/* Wrapped ------------------------------------------------------------------------------- */

typedef struct wrapped {
  SE_StatusCallbackFn function;
  void *argument;
} wrapped;

static TF_Bool wrap(CALLBACK, SE_StatusCallbackFn outer) {
  wrapped *inner = malloc(sizeof *inner);
  *inner = (wrapped){function, argument};
  return good.host_callback(device, stream, outer, inner);
}

static void run_plain(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
}

static void run_null(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, NULL);
}
static TF_Bool null_status(CALLBACK) {
  return wrap(device, stream, function, argument, run_null);
}

static void run_stale(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  TF_SetStatus(status, TF_UNKNOWN, "from before");
  inner->function(inner->argument, status);
  if (TF_GetCode(status) == TF_UNKNOWN) TF_SetStatus(status, TF_OK, "");
}
static TF_Bool stale_status(CALLBACK) {
  return wrap(device, stream, function, argument, run_stale);
}

static void run_forgiving(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  TF_SetStatus(status, TF_OK, "");
}
static TF_Bool forgiving(CALLBACK) {
  return wrap(device, stream, function, argument, run_forgiving);
}

static void run_recoding(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  if (TF_GetCode(status) == TF_ABORTED) TF_SetStatus(status, TF_UNKNOWN, "it failed");
}
static TF_Bool recoding(CALLBACK) {
  return wrap(device, stream, function, argument, run_recoding);
}

static TF_Bool drops_in_failed(CALLBACK) {
  TF_Status *status = TF_NewStatus();
  good.get_stream_status(device, stream, status);
  bool failed = TF_GetCode(status) != TF_OK;
  TF_DeleteStatus(status);
  return failed || good.host_callback(device, stream, function, argument);
}

/* Failures ------------------------------------------------------------------------------ */

static void run_again(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  if (TF_GetCode(status) == TF_OK) return;
  TF_SetStatus(status, TF_OK, "");
  inner->function(inner->argument, status);
}
static TF_Bool again_if_failed(CALLBACK) {
  return wrap(device, stream, function, argument, run_again);
}

/* What waits behind a failure is dropped; what is enqueued later runs. */
static atomic_int failures;
typedef struct counted {
  wrapped inner;
  int failures;
} counted;
static void run_unless_failed(void *const context, TF_Status *const status) {
  counted *it = context;
  if (it->failures == atomic_load(&failures)) it->inner.function(it->inner.argument, status);
  if (TF_GetCode(status) != TF_OK) atomic_fetch_add(&failures, 1);
}
static TF_Bool dropped_behind(CALLBACK) {
  counted *it = malloc(sizeof *it);
  *it = (counted){{function, argument}, atomic_load(&failures)};
  return good.host_callback(device, stream, run_unless_failed, it);
}

static void run_unavailable(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  if (TF_GetCode(status) == TF_UNAVAILABLE) TF_SetStatus(status, TF_INTERNAL, TF_Message(status));
}
static TF_Bool unavailable_is_internal(CALLBACK) {
  return wrap(device, stream, function, argument, run_unavailable);
}

static void run_wordless(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_GetCode(status), "a callback failed");
}
static TF_Bool wordless(CALLBACK) {
  return wrap(device, stream, function, argument, run_wordless);
}

/* Room for 128 at a time. */
static wrapped ring[128];
static TF_Bool in_ring(CALLBACK) {
  static int next;
  wrapped *inner = &ring[next++ % 128];
  *inner = (wrapped){function, argument};
  return good.host_callback(device, stream, run_plain, inner);
}

/* The stream's status is the last failure's. */
static struct {
  SP_Stream stream;
  TF_Code code;
} last_failure;
static void run_noting(void *const context, TF_Status *const status) {
  wrapped *inner = context;
  inner->function(inner->argument, status);
  if (TF_GetCode(status) != TF_OK) last_failure.code = TF_GetCode(status);
}
static TF_Bool noting_failures(CALLBACK) {
  if (!last_failure.stream) last_failure.stream = stream;
  if (last_failure.stream != stream) return good.host_callback(device, stream, function, argument);
  return wrap(device, stream, function, argument, run_noting);
}
static void last_status(DEVICE, SP_Stream stream, TF_Status *status) {
  good.get_stream_status(device, stream, status);
  if (TF_GetCode(status) != TF_OK && stream == last_failure.stream && last_failure.code)
    TF_SetStatus(status, last_failure.code, TF_Message(status));
}

/* Behind a failure an event is never reached. */
static SE_EventStatus never_behind_failure(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  return answer == SE_EVENT_ERROR ? SE_EVENT_PENDING : answer;
}
/* A stream that waits for one that has failed does not go on. */
static void sleep_for_ever(void *const context, TF_Status *const status) {
  for (;;)
    pause();
}
static void wait_for_failed(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  if (good.get_event_status(device, event) == SE_EVENT_ERROR)
    good.host_callback(device, stream, sleep_for_ever, NULL);
  else
    good.wait_for_event(device, stream, event, status);
}

static bool failure_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("callback.again.if.failed", host_callback, again_if_failed)
  SLOT("callback.drops.behind.failure", host_callback, dropped_behind)
  SLOT("callback.unavailable", host_callback, unavailable_is_internal)
  SLOT("callback.wordless", host_callback, wordless)
  SLOT("callback.ring", host_callback, in_ring)
  ON("status.last", tables->executor->host_callback = noting_failures;
     tables->executor->get_stream_status = last_status)
  SLOT("event.pending.behind.failure", get_event_status, never_behind_failure)
  SLOT("event.wait.for.failed", wait_for_event, wait_for_failed)
  return false;
}

bool callback_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("callback.twice", host_callback, twice)
  SLOT("callback.never", host_callback, never)
  SLOT("callback.false", host_callback, answers_false)
  SLOT("callback.early", host_callback, early)
  SLOT("callback.elsewhere", host_callback, elsewhere)
  SLOT("callback.swaps", host_callback, swaps)
  SLOT("callback.null.status", host_callback, null_status)
  SLOT("callback.stale.status", host_callback, stale_status)
  SLOT("callback.forgiving", host_callback, forgiving)
  SLOT("callback.recoding", host_callback, recoding)
  SLOT("callback.drops.in.failed", host_callback, drops_in_failed)
  return failure_fault_apply(tables, name);
}
