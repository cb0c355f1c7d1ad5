/* A registered platform, as floors 2 and 3 see it. */
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
  pthread_mutex_t lock; /* of the next four and of all that the cores count */
  device_core *devices;
  bool busy;              /* a thread is in the plugin, to make or to end a device */
  pthread_cond_t settled; /* it is out again */
  unsigned epoch;         /* of the process that these are about */
  modfs_platform *_Atomic next;
};

/* Asks a plugin for its platform. NULL on failure. */
modfs_platform *platform_new(abi_init entry, const modfs_plugin *plugin, TF_Status *status);

/* Ends a platform that was never published; NULL is allowed. */
void platform_free(modfs_platform *platform);

/* The number of devices; INTERNAL when the plugin gives a number that cannot be. */
int platform_count(const modfs_platform *platform, TF_Status *status);

/* INTERNAL: the plugin did what its contract excludes. */
void platform_breach(const modfs_platform *platform, TF_Status *status, const char *what);

#endif
