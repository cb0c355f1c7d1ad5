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
