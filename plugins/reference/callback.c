/* Host callbacks.
 *
 * A callback runs on the stream's worker, in order with the stream's other operations, and also after
 * the stream has failed. No lock is held, so it may use the stream, but not wait for it (OWN_STREAM)
 * nor destroy it (the stream stays).
 *
 * The status that it gets is the worker's own and is reused: it is OK before each call, and a failure is
 * copied into the stream before it is reset. `argument` is the host's. Each accepted callback is called
 * exactly once, by the process that enqueued it; a refused one (the slot returned 0) never. */
#include "callback.h"

#include "fault.h"
#include "stream.h"

static void run_callback(SP_Stream stream, reference_operation *operation) {
  TF_Status *status = stream->status;
  operation->of.callback.function(operation->of.callback.argument, status);
  if (TF_GetCode(status) == TF_OK) return;
  reference_stream_fail(stream, TF_GetCode(status), TF_Message(status));
  TF_SetStatus(status, TF_OK, "");
}

TF_Bool reference_callback_enqueue(const SP_Device *device, SP_Stream stream,
                                   SE_StatusCallbackFn function, void *argument) {
  const reference_operation operation = {
      .run = run_callback, .of.callback = {.function = function, .argument = argument}};
  return !reference_stream_check(device, stream) &&
         !reference_fault_due(REFERENCE_FAULT_CALLBACK) &&
         !reference_stream_enqueue(stream, &operation);
}
