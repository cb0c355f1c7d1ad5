/* Events: a stream, and the number of its last operation when the event was recorded.
 *
 * Recording enqueues nothing: the event is complete when the stream has performed that
 * operation. An event stays readable after its stream has been destroyed. */
#ifndef REFERENCE_EVENT_H
#define REFERENCE_EVENT_H

#include <modfs/stream_executor.h>

void reference_event_create(const SP_Device *device, SP_Event *event, TF_Status *status);
void reference_event_destroy(const SP_Device *device, SP_Event event);
SE_EventStatus reference_event_status(const SP_Device *device, SP_Event event);

void reference_event_record(const SP_Device *device, SP_Stream stream, SP_Event event,
                            TF_Status *status);
/* Returns at once when the event was never recorded. */
void reference_event_wait(const SP_Device *device, SP_Stream stream, SP_Event event,
                          TF_Status *status);
/* FAILED_PRECONDITION when it was never recorded. */
void reference_event_block(const SP_Device *device, SP_Event event, TF_Status *status);

#endif
