/* Two calls of a device plugin, one held in its middle while the other one runs. */
#ifndef MODFS_RUNNER_DEVICE_OVERLAP_H
#define MODFS_RUNNER_DEVICE_OVERLAP_H

#include "call.h"
#include "device.h"

/* A call, with what its slot takes; the other members are not read. */
typedef struct device_call {
  const char *slot;
  SP_Stream stream, other; /* other: the stream that create_stream_dependency waits for */
  SP_Event event;
  SP_Timer timer;
  SP_DeviceMemoryBase memory, from; /* from: the source of a copy within the device */
  void *host;
  uint64_t size;
  runner_call *callback;

  /* The result. */
  TF_Code code; /* RESOURCE_EXHAUSTED: no memory; INTERNAL: host_callback returned false */
  SP_Stream made_stream;
  SP_Event made_event;
  SP_Timer made_timer;
  SP_DeviceMemoryBase made_memory;
  void *made_host;
  int64_t number; /* an event's status, the bytes in use, or those that are free */
} device_call;

/* Whether the device has the slot; false also for one that cannot be overlapped. */
bool runner_device_call_has(const runner_device *device, const char *slot);

/* Runs both calls as runner_schedule does. */
bool runner_device_overlap(const runner_device *device, size_t k, device_call *first,
                           device_call *second);

#endif
