/* Order in a stream and between streams, waiting, and failures. */
#include "device_mutant.h"

#include <stdlib.h>

static SP_Stream first_stream;
static int made;
static TF_Code any_failure;

static void make_256(DEVICE, SP_Stream *stream, TF_Status *status) {
  if (made++ < 256)
    good.create_stream(device, stream, status);
  else
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "enough");
}

static void make_first(DEVICE, SP_Stream *stream, TF_Status *status) {
  good.create_stream(device, stream, status);
  if (!first_stream) first_stream = *stream;
}

static void dead_stream(DEVICE, SP_Stream *stream, TF_Status *status) {
}

static void depend_nothing(DEVICE, SP_Stream dependent, SP_Stream other, TF_Status *status) {
}
static void depend_backwards(DEVICE, SP_Stream dependent, SP_Stream other, TF_Status *status) {
  good.create_stream_dependency(device, other, dependent, status);
}
static void depend_blocking(DEVICE, SP_Stream dependent, SP_Stream other, TF_Status *status) {
  good.block_host_until_done(device, other, status);
}
static void depend_fails(DEVICE, SP_Stream dependent, SP_Stream other, TF_Status *status) {
  TF_SetStatus(status, TF_INTERNAL, "no");
}

static void status_ok(DEVICE, SP_Stream stream, TF_Status *status) {
}
static void status_forgets(DEVICE, SP_Stream stream, TF_Status *status) {
  static SP_Stream told;
  if (told == stream) return;
  good.get_stream_status(device, stream, status);
  if (TF_GetCode(status) != TF_OK) told = stream;
}
static void status_spreads(DEVICE, SP_Stream stream, TF_Status *status) {
  good.get_stream_status(device, stream, status);
  if (TF_GetCode(status) != TF_OK) any_failure = TF_GetCode(status);
  if (any_failure) TF_SetStatus(status, any_failure, "some stream has failed");
}
static void status_waits(DEVICE, SP_Stream stream, TF_Status *status) {
  good.block_host_until_done(device, stream, status);
  good.get_stream_status(device, stream, status);
}
static void status_says_nothing(DEVICE, SP_Stream stream, TF_Status *status) {
  good.get_stream_status(device, stream, status);
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_GetCode(status), "");
}
static void status_busy(DEVICE, SP_Stream stream, TF_Status *status) {
  SP_Event event;
  good.create_event(device, &event, status);
  good.record_event(device, stream, event, status);
  if (good.get_event_status(device, event) == SE_EVENT_PENDING)
    TF_SetStatus(status, TF_UNAVAILABLE, "busy");
  else
    good.get_stream_status(device, stream, status);
}

static void done_nothing(DEVICE, SP_Stream stream, TF_Status *status) {
}
static void synchronize_nothing(DEVICE, TF_Status *status) {
}
static void synchronize_first(DEVICE, TF_Status *status) {
  if (first_stream) good.block_host_until_done(device, first_stream, status);
  TF_SetStatus(status, TF_OK, "");
}
static void synchronize_complains(DEVICE, TF_Status *status) {
  good.synchronize_all_activity(device, status);
  if (made == 0) TF_SetStatus(status, TF_FAILED_PRECONDITION, "there is no stream");
}
static void make_counting(DEVICE, SP_Stream *stream, TF_Status *status) {
  made++;
  good.create_stream(device, stream, status);
}

/* Out of order ------------------------------------------------------------------------- */

static void dtoh_early(DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size,
                       TF_Status *status) {
  good.sync_memcpy_dtoh(device, to, from, size, status);
}
static void htod_early(DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size,
                       TF_Status *status) {
  good.sync_memcpy_htod(device, to, from, size, status);
}
static void dtod_early(DEVICE, SP_Stream stream, BASE *to, const BASE *from, uint64_t size,
                       TF_Status *status) {
  good.sync_memcpy_dtod(device, to, from, size, status);
}

/* A fill waits for the next copy to the host, and comes behind it. */
static struct {
  bool waits;
  SP_Stream stream;
  BASE to;
  uint64_t size;
  uint8_t pattern;
} fill;

static void fill_behind(DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size,
                        TF_Status *status) {
  fill.waits = true;
  fill.stream = stream, fill.to = *to, fill.size = size, fill.pattern = pattern;
}

static void dtoh_before(DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size,
                        TF_Status *status) {
  good.memcpy_dtoh(device, stream, to, from, size, status);
  if (fill.waits) good.memset(device, fill.stream, &fill.to, fill.pattern, fill.size, status);
  fill.waits = false;
}

static bool order_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("dtoh.early", memcpy_dtoh, dtoh_early)
  SLOT("htod.early", memcpy_htod, htod_early)
  SLOT("dtod.early", memcpy_dtod, dtod_early)
  ON("fill.behind", tables->executor->memset = fill_behind;
     tables->executor->memcpy_dtoh = dtoh_before)
  return false;
}

bool stream_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("stream.dead", create_stream, dead_stream)
  SLOT("stream.256", create_stream, make_256)
  SLOT("depend.nothing", create_stream_dependency, depend_nothing)
  SLOT("depend.backwards", create_stream_dependency, depend_backwards)
  SLOT("depend.blocking", create_stream_dependency, depend_blocking)
  SLOT("depend.fails", create_stream_dependency, depend_fails)
  SLOT("status.ok", get_stream_status, status_ok)
  SLOT("status.forgets", get_stream_status, status_forgets)
  SLOT("status.spreads", get_stream_status, status_spreads)
  SLOT("status.waits", get_stream_status, status_waits)
  SLOT("status.says.nothing", get_stream_status, status_says_nothing)
  SLOT("status.busy", get_stream_status, status_busy)
  SLOT("done.nothing", block_host_until_done, done_nothing)
  SLOT("synchronize.nothing", synchronize_all_activity, synchronize_nothing)
  ON("synchronize.first", tables->executor->synchronize_all_activity = synchronize_first;
     tables->executor->create_stream = make_first)
  ON("synchronize.complains", tables->executor->synchronize_all_activity = synchronize_complains;
     tables->executor->create_stream = make_counting)
  return order_fault_apply(tables, name);
}
