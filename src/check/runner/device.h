/* A device plugin as the conformance runner sees it: each slot by itself, without the core's checks.
 * core/device_abi.h converts the five generations of tables to one form. */
#ifndef MODFS_JUDGE_DEVICE_H
#define MODFS_JUDGE_DEVICE_H

#include "core/device/device_abi.h"

/* The plugin's platform. It must not move, because the plugin may keep its address. */
typedef struct judge_platform {
  device_abi abi;
} judge_platform;

typedef struct judge_device {
  judge_platform *platform;
  abi_device made;
} judge_device;

/* Loads a plugin and gets its platform, without registering it. */
void judge_platform_open(judge_platform *platform, const char *path, TF_Status *status);

/* A slot of the platform, its devices or timers, and who implements it. */
typedef struct judge_slot {
  const char *name;
  const char *source; /* "plugin", "default" or "missing" */
} judge_slot;

/* The slot of that index; a NULL name marks the end. */
judge_slot judge_platform_slot(const judge_platform *platform, size_t index);

/* The name of a table into which the plugin wrote beyond the size that it declared; NULL: none. */
const char *judge_platform_overrun(const judge_platform *platform);

static inline const SP_Device *judge_device_of(const judge_device *device) {
  return &device->made.block.device;
}

static inline const SP_StreamExecutor *judge_executor(const judge_device *device) {
  return &device->platform->abi.executor;
}

#endif
