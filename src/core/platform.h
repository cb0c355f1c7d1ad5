/* A registered platform, as floors 2 and 3 see it. */
#ifndef MODFS_CORE_PLATFORM_H
#define MODFS_CORE_PLATFORM_H

#include <pthread.h>
#include <stdatomic.h>

#include "device_abi.h"

typedef struct device_core device_core;

struct modfs_platform {
  const modfs_plugin *plugin;
  char *name;
  char *type;
  device_abi abi;
  pthread_mutex_t lock; /* of the next one and of all that the cores count */
  device_core *devices;
  modfs_platform *_Atomic next;
};

/* Asks a plugin for its platform. NULL on failure. */
modfs_platform *platform_new(abi_init entry, const modfs_plugin *plugin, TF_Status *status);

/* Ends a platform that was never published; NULL is allowed. */
void platform_free(modfs_platform *platform);

#endif
