/* Devices, for the files about their memory, streams, events and timers. device.c states the
 * invariants. */
#ifndef MODFS_CORE_DEVICE_H
#define MODFS_CORE_DEVICE_H

#include <stdatomic.h>

#include "bfc.h"
#include "platform.h"

/* A large piece that our own allocator took from the plugin. */
typedef struct core_piece {
  SP_DeviceMemoryBase base;
  struct core_piece *next;
} core_piece;

/* The plugin's device: one for each ordinal, however many modfs_device there are of it. */
struct device_core {
  const modfs_platform *platform;
  int ordinal;
  size_t references; /* of modfs_device; guarded by the platform's lock, as is next */
  device_core *next;
  abi_device made;
  pthread_mutex_t lock; /* guards the next three: memory.c */
  bfc *allocator;       /* made at the first allocation, where the platform asks for one */
  core_piece *pieces;
  bool growing; /* a thread makes or extends the allocator */
  pthread_cond_t grown;
};

struct modfs_device {
  device_core *core;
  atomic_size_t references; /* one of the owner, one of each child */
  atomic_size_t children;   /* memory, host memory, streams, events and timers */
  unsigned epoch;           /* of the process that opened it */
};

/* Adds or removes a child; each child keeps the device open. */
void device_add_child(modfs_device *device);
void device_drop_child(modfs_device *device);

/* False in a process other than the one that opened it, that is, in a forked child. */
bool device_is_own(const modfs_device *device);

/* The opposite, with FAILED_PRECONDITION in a forked child. */
bool device_is_inherited(const modfs_device *device, TF_Status *status);

static inline const device_abi *device_abi_of(const modfs_device *device) {
  return device->core->platform->abi;
}

static inline const SP_StreamExecutor *device_executor(const modfs_device *device) {
  return &device->core->platform->abi->executor;
}

static inline const SP_Device *device_handle(const modfs_device *device) {
  return &device->core->made.block.device;
}

/* Free and total memory as the plugin reports them; UNIMPLEMENTED where it does not. */
void device_usage(const device_core *core, int64_t *available, int64_t *all, TF_Status *status);

/* Sets INTERNAL: the plugin broke its contract. */
void device_breach(const modfs_device *device, TF_Status *status, const char *what);

#endif
