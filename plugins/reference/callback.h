/* Host callbacks: functions of the host, called by the worker of a stream. */
#ifndef REFERENCE_CALLBACK_H
#define REFERENCE_CALLBACK_H

#include <modfs/stream_executor.h>

TF_Bool reference_callback_enqueue(const SP_Device *device, SP_Stream stream,
                                   SE_StatusCallbackFn function, void *argument);

#endif
