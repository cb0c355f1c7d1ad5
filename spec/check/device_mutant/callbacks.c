/* Callbacks: how often, when, in which order, with which status. */
#include "device_mutant.h"

#include <stdlib.h>

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
  return false;
}
