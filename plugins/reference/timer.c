#include "timer.h"

#include <stdlib.h>

#include "pace.h"
#include "stream.h"

enum { START, STOP };

struct SP_Timer_st {
  atomic_uint users; /* the host, and enqueued stamps */
  atomic_uint_fast64_t marks[2];
};

void reference_timer_create(const SP_Device *device, SP_Timer *timer, TF_Status *status) {
  (void)device;
  SP_Timer made = calloc(1, sizeof *made);
  if (!made) {
    reference_error_report(REFERENCE_NO_MEMORY, status);
    return;
  }
  atomic_init(&made->users, 1);
  *timer = made;
}

static void drop_timer(SP_Timer timer) {
  if (atomic_fetch_sub_explicit(&timer->users, 1, memory_order_acq_rel) == 1) free(timer);
}

void reference_timer_destroy(const SP_Device *device, SP_Timer timer) {
  (void)device;
  drop_timer(timer);
}

static void run_stamp(SP_Stream stream, reference_operation *operation) {
  (void)stream;
  SP_Timer timer = operation->of.stamp.timer;
  atomic_store(&timer->marks[operation->of.stamp.mark], reference_pace_now());
  drop_timer(timer);
}

static void enqueue_stamp(const SP_Device *device, SP_Stream stream, SP_Timer timer, int mark,
                          TF_Status *status) {
  const reference_operation operation = {.run = run_stamp,
                                         .of.stamp = {.timer = timer, .mark = mark}};
  reference_error error = reference_stream_check(device, stream);
  if (!error) {
    atomic_fetch_add_explicit(&timer->users, 1, memory_order_relaxed);
    error = reference_stream_enqueue(stream, &operation);
    if (error) drop_timer(timer);
  }
  reference_error_report(error, status);
}

void reference_timer_start(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                           TF_Status *status) {
  enqueue_stamp(device, stream, timer, START, status);
}

void reference_timer_stop(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                          TF_Status *status) {
  enqueue_stamp(device, stream, timer, STOP, status);
}

uint64_t reference_timer_nanoseconds(SP_Timer timer) {
  uint64_t start = atomic_load(&timer->marks[START]), stop = atomic_load(&timer->marks[STOP]);
  return start && stop > start ? stop - start : 0;
}
