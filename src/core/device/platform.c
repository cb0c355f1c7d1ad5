/* Platforms: making and describing one.
 *
 * A platform is under construction (seen by the thread that loads its plugin alone, freed by
 * platform_free if loading fails) or published in the registry, never to be freed. What this file
 * reads of a published platform never changes, so it takes no lock; the state of its devices
 * belongs to device.c. A fork changes nothing here. */
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/status.h"
#include "device_defaults.h"

enum { MOST_DEVICES = 4096 };

modfs_platform *platform_new(abi_init entry, const modfs_plugin *plugin, TF_Status *status) {
  struct {
    modfs_platform platform; /* first: platform_free frees both */
    device_abi abi;
  } *made = calloc(1, sizeof *made);
  if (!made) {
    status_no_memory(status);
    return NULL;
  }
  modfs_platform *platform = &made->platform;
  platform->abi = &made->abi;
  platform->plugin = plugin;
  pthread_mutex_init(&platform->lock, NULL);
  pthread_cond_init(&platform->settled, NULL);
  platform->epoch = registry_epoch();
  device_abi_init(platform->abi, entry, status);
  platform->name = platform->abi->name;
  platform->type = platform->abi->type;
  if (status_ok(status)) {
    device_settle(platform->abi);
    return platform;
  }
  platform_free(platform);
  return NULL;
}

void platform_free(modfs_platform *platform) {
  if (!platform) return;
  device_abi_fini(platform->abi);
  pthread_cond_destroy(&platform->settled);
  pthread_mutex_destroy(&platform->lock);
  free(platform);
}

const char *modfs_platform_name(const modfs_platform *platform) {
  return platform->name;
}

const char *modfs_platform_type(const modfs_platform *platform) {
  return platform->type;
}

const char *modfs_platform_api(const modfs_platform *platform) {
  return platform->abi->rfc ? "rfc257" : "shipped";
}

modfs_version modfs_platform_table(const modfs_platform *platform, modfs_device_table table) {
  const device_abi *abi = platform->abi;
  return (modfs_version){abi->major, abi->minor, device_abi_declared(abi, table)};
}

const modfs_plugin *modfs_platform_plugin(const modfs_platform *platform) {
  return platform->plugin;
}

void platform_breach(const modfs_platform *platform, TF_Status *status, const char *what) {
  modfs_set_status(status, TF_INTERNAL, "the plugin %s broke its contract: %s",
                   modfs_plugin_path(platform->plugin), what);
}

int platform_count(const modfs_platform *platform, TF_Status *status) {
  int count = device_abi_count(platform->abi, status);
  if (!status_ok(status)) return 0;
  if (count >= 0 && count <= MOST_DEVICES) return count;
  char what[64];
  snprintf(what, sizeof what, "it reports %d devices", count);
  platform_breach(platform, status, what);
  return 0;
}

int modfs_platform_device_count(const modfs_platform *platform, TF_Status *status) {
  status_clear(status);
  int count = platform_count(platform, status);
  status_locate(status, "count the devices of", platform->name);
  return count;
}
