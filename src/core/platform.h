/* A registered platform, for floors 2 and 3. It lives as long as the process. Name, type and abi
 * are complete before it is published and do not change. device.c states the invariants of the
 * rest. */
#ifndef MODFS_CORE_PLATFORM_H
#define MODFS_CORE_PLATFORM_H

#include <pthread.h>
#include <stdatomic.h>

#include "device_abi.h"

typedef struct device_core device_core;

struct modfs_platform {
  const modfs_plugin *plugin;
  const char *name;
  const char *type;
  device_abi abi;
  pthread_mutex_t lock; /* guards the next four, and references and next of each core */
  device_core *devices;
  bool busy;              /* a thread is in the plugin, creating or destroying a device */
  pthread_cond_t settled; /* signalled when it is no longer busy */
  unsigned epoch;         /* of the process whose devices these are */
  modfs_platform *_Atomic next;
};

/* Makes the platform of a plugin by calling its entry point. NULL on failure. */
modfs_platform *platform_new(abi_init entry, const modfs_plugin *plugin, TF_Status *status);

/* Frees a platform that was never published; NULL is allowed. */
void platform_free(modfs_platform *platform);

/* The number of devices; INTERNAL when the plugin returns an impossible one. */
int platform_count(const modfs_platform *platform, TF_Status *status);

/* Sets INTERNAL: the plugin broke its contract. */
void platform_breach(const modfs_platform *platform, TF_Status *status, const char *what);

#endif
