/* A device plugin as its judge sees it: every slot by itself, nothing between. What the five
 * generations have in different forms, the core brings to one (core/device_abi.h). */
#ifndef MODFS_JUDGE_DEVICE_H
#define MODFS_JUDGE_DEVICE_H

#include "core/device_abi.h"

/* The plugin's platform; it stays where it is, as the plugin may keep its address. */
typedef struct judge_platform {
  device_abi abi;
} judge_platform;

typedef struct judge_device {
  judge_platform *platform;
  abi_device made;
} judge_device;

/* Loads a plugin and asks it for its platform; it is not registered anywhere. */
void judge_platform_open(judge_platform *platform, const char *path, TF_Status *status);

/* A slot of the platform, its devices or timers, and who serves it. */
typedef struct judge_slot {
  const char *name;
  const char *source; /* "plugin", "default" or "missing" */
} judge_slot;

/* The slot of that index; a NULL name is the end. */
judge_slot judge_platform_slot(const judge_platform *platform, size_t index);

/* A table that the plugin has filled and written into beyond the size that it gave; NULL: none. */
const char *judge_platform_overrun(const judge_platform *platform);

static inline const SP_Device *judge_device_of(const judge_device *device) {
  return &device->made.block.device;
}

static inline const SP_StreamExecutor *judge_executor(const judge_device *device) {
  return &device->platform->abi.executor;
}

#endif
