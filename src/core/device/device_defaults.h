/* Defaults for the slots that a device plugin leaves empty, and the detours through host memory
 * that they use. */
#ifndef MODFS_CORE_DEVICE_DEFAULTS_H
#define MODFS_CORE_DEVICE_DEFAULTS_H

#include "device_abi.h"

/* Completes every table of a platform: no slot is NULL afterwards. */
void device_settle(device_abi *abi);

/* Functions for a device of which nothing is known. */
extern const SP_DeviceFns device_unknown_fns;

/* A range of memory on a device of any platform. */
typedef struct device_place {
  const SP_StreamExecutor *executor;
  const SP_Device *device;
  const SP_DeviceMemoryBase *base;
} device_place;

/* Copy n bytes, and fill n bytes with a repeated four-byte pattern, piece by piece. */
void device_copy_through_host(device_place to, device_place from, uint64_t n, TF_Status *status);
void device_fill_through_host(device_place to, uint32_t pattern, uint64_t n, TF_Status *status);

#endif
