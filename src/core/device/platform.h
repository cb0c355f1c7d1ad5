/* A registered platform: what the files about devices share. */
#ifndef MODFS_CORE_PLATFORM_H
#define MODFS_CORE_PLATFORM_H

#include "core/registry/plugin.h"
#include "device_abi.h"

typedef struct device_core device_core;

/* Makes the platform of a plugin by calling its entry point. NULL on failure. */
modfs_platform *platform_new(abi_init entry, const modfs_plugin *plugin, TF_Status *status);

/* Frees a platform that was never published; NULL is allowed. */
void platform_free(modfs_platform *platform);

/* The number of devices; INTERNAL when the plugin returns an impossible one. */
int platform_count(const modfs_platform *platform, TF_Status *status);

/* Sets INTERNAL: the plugin broke its contract. */
void platform_breach(const modfs_platform *platform, TF_Status *status, const char *what);

#endif
