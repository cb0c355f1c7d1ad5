/* Timers: two timestamps that the worker of a stream takes. */
#ifndef REFERENCE_TIMER_H
#define REFERENCE_TIMER_H

#include <modfs/stream_executor.h>

void reference_timer_create(const SP_Device *device, SP_Timer *timer, TF_Status *status);
void reference_timer_destroy(const SP_Device *device, SP_Timer timer);
void reference_timer_start(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                           TF_Status *status);
void reference_timer_stop(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                          TF_Status *status);

/* 0 until both timestamps are taken, and when the second was taken before the first. */
uint64_t reference_timer_nanoseconds(SP_Timer timer);

#endif
