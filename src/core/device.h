/* An open device, as its memory, streams, events and timers see it. */
#ifndef MODFS_CORE_DEVICE_H
#define MODFS_CORE_DEVICE_H

#include <stdatomic.h>

#include "bfc.h"
#include "platform.h"

/* A large piece that our own allocator has from the plugin. */
typedef struct core_piece {
  SP_DeviceMemoryBase base;
  struct core_piece *next;
} core_piece;

/* The plugin's device: one for each ordinal, however often it is open. */
struct device_core {
  const modfs_platform *platform;
  int ordinal;
  size_t references; /* under the platform's lock, as is the list */
  device_core *next;
  abi_device made;
  pthread_mutex_t lock; /* of the next two */
  bfc *allocator;       /* made at the first allocation, where the platform asks for one */
  core_piece *pieces;
};

struct modfs_device {
  device_core *core;
  atomic_size_t references;
  atomic_size_t children;
  unsigned epoch;
};

/* One object of the device more, or less. */
void device_add_child(modfs_device *device);
void device_drop_child(modfs_device *device);

/* False in a process that is a fork of the one that opened it. */
bool device_is_own(const modfs_device *device);

/* True, with FAILED_PRECONDITION, in a process that is a fork of the one that opened it. */
bool device_is_inherited(const modfs_device *device, TF_Status *status);

static inline const device_abi *device_abi_of(const modfs_device *device) {
  return &device->core->platform->abi;
}

static inline const SP_StreamExecutor *device_executor(const modfs_device *device) {
  return &device->core->platform->abi.executor;
}

static inline const SP_Device *device_handle(const modfs_device *device) {
  return &device->core->made.block.device;
}

/* What the plugin tells of the device's memory; UNIMPLEMENTED where it does not. */
void device_usage(const device_core *core, int64_t *available, int64_t *all, TF_Status *status);

/* INTERNAL: the plugin did what its contract excludes. */
void device_breach(const modfs_device *device, TF_Status *status, const char *what);

#endif
