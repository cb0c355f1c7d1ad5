/* A device plugin as the conformance runner sees it: each slot by itself, without the core's checks.
 * core/device_abi.h converts the five generations of tables to one form. */
#ifndef MODFS_RUNNER_DEVICE_H
#define MODFS_RUNNER_DEVICE_H

#include "core/device/device_abi.h"

/* The plugin's platform. It must not move, because the plugin may keep its address. */
typedef struct runner_platform {
  device_abi abi;
} runner_platform;

typedef struct runner_device {
  runner_platform *platform;
  abi_device made;
} runner_device;

/* Loads a plugin and gets its platform, without registering it. */
void runner_platform_open(runner_platform *platform, const char *path, TF_Status *status);

/* A slot of the platform, its devices or timers, and who implements it. */
typedef struct runner_slot {
  const char *name;
  const char *source; /* "plugin", "default" or "missing" */
} runner_slot;

/* The slot of that index; a NULL name marks the end. */
runner_slot runner_platform_slot(const runner_platform *platform, size_t index);

/* The name of a table into which the plugin wrote beyond the size that it declared; NULL: none. */
const char *runner_platform_overrun(const runner_platform *platform);

static inline const SP_Device *runner_device_of(const runner_device *device) {
  return &device->made.block.device;
}

static inline const SP_StreamExecutor *runner_executor(const runner_device *device) {
  return &device->platform->abi.executor;
}

#endif
