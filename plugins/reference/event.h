/* Events: a stream, and the number of its last operation when the event was recorded.
 *
 * Recording enqueues nothing: the event is complete when the stream has done that
 * operation. An event keeps its stream's number readable after the stream's end. */
#ifndef REFERENCE_EVENT_H
#define REFERENCE_EVENT_H

#include <modfs/stream_executor.h>

void reference_event_create(const SP_Device *device, SP_Event *event, TF_Status *status);
void reference_event_destroy(const SP_Device *device, SP_Event event);
SE_EventStatus reference_event_status(const SP_Device *device, SP_Event event);

void reference_event_record(const SP_Device *device, SP_Stream stream, SP_Event event,
                            TF_Status *status);
/* One that was never recorded is nothing to wait for. */
void reference_event_wait(const SP_Device *device, SP_Stream stream, SP_Event event,
                          TF_Status *status);
/* FAILED_PRECONDITION when it was never recorded. */
void reference_event_block(const SP_Device *device, SP_Event event, TF_Status *status);

#endif
