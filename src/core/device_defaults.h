/* What fills the slots that a device plugin leaves empty, and the ways through the host that stand for
 * them. */
#ifndef MODFS_CORE_DEVICE_DEFAULTS_H
#define MODFS_CORE_DEVICE_DEFAULTS_H

#include "device_abi.h"

/* Completes every table of a platform that was made: no slot is NULL afterwards. */
void device_settle(device_abi *abi);

/* Of a device that nothing is known of. */
extern const SP_DeviceFns device_unknown_fns;

/* A piece of memory on a device of any platform. */
typedef struct device_place {
  const SP_StreamExecutor *executor;
  const SP_Device *device;
  const SP_DeviceMemoryBase *base;
} device_place;

/* Copies n bytes, and fills n bytes with a pattern that begins anew every four, in pieces. */
void device_copy_through_host(device_place to, device_place from, uint64_t n, TF_Status *status);
void device_fill_through_host(device_place to, uint32_t pattern, uint64_t n, TF_Status *status);

#endif
