/* Devices.
 *
 * The plugin has at most one device (device_core) for each ordinal; any number of modfs_device
 * share it. A core exists while it has references. It is created with the first and destroyed with
 * the last, each a call of the plugin during which the platform is "busy": the lock is released for
 * the call, and other threads that need the list wait on "settled", so no ordinal is created twice
 * or while it is being destroyed.
 *
 * The platform's lock guards the list of cores, their references, "busy" and the epoch. It is never
 * held over a call of the plugin, nor together with another lock, except at a fork (registry.c). A
 * core's own lock is for memory.c.
 *
 * A modfs_device counts references (its owner and its children) and children, both atomically.
 * modfs_device_close refuses while there are children; modfs_device_drop does not, and then the
 * last child ends the device. The last reference gives up the core and frees the struct.
 *
 * A forked child has no part in its parent's devices. The first use of a platform there empties the
 * list, without freeing, and begins anew, so the child may open devices of its own. An inherited
 * modfs_device has another epoch: its calls are refused, and dropping it frees the struct only. */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "device_defaults.h"
#include "memory.h"
#include "core/base/probe.h"
#include "core/registry/registry.h"
#include "core/base/status.h"

/* The plugin's devices ----------------------------------------------------------- */

static modfs_platform *platform_of(const modfs_platform *platform) {
  return (modfs_platform *)(size_t)platform;
}

/* In a forked child the parent's cores are abandoned, and the thread that was busy does not exist.
 */
static void lock_platform(modfs_platform *platform) {
  pthread_mutex_lock(&platform->lock);
  if (platform->epoch == registry_epoch()) return;
  platform->epoch = registry_epoch();
  platform->devices = NULL;
  platform->busy = false;
  pthread_cond_init(&platform->settled, NULL);
}

/* Creating or destroying a device may take long, or fork: no lock is held meanwhile. */
static void begin_work(modfs_platform *platform) {
  platform->busy = true;
  pthread_mutex_unlock(&platform->lock);
}

static void end_work(modfs_platform *platform) {
  lock_platform(platform);
  platform->busy = false;
  pthread_cond_broadcast(&platform->settled);
}

static void lock_idle_platform(modfs_platform *platform) {
  lock_platform(platform);
  while (platform->busy)
    pthread_cond_wait(&platform->settled, &platform->lock);
}

/* Checks the plugin's strings once, as they are read unchecked for as long as the device lives. */
static void check_words(const modfs_platform *platform, const SP_Device *device,
                        TF_Status *status) {
  const struct {
    const char *text, *field;
  } words[] = {{device->hardware_name, "hardware_name"},
               {device->device_vendor, "device_vendor"},
               {device->pci_bus_id, "pci_bus_id"}};
  char room[1024], what[64];
  for (size_t i = 0; i < 3 && status_ok(status) && !platform->abi->rfc; i++) {
    if (!words[i].text || probe_string(room, sizeof room, words[i].text)) continue;
    snprintf(what, sizeof what, "SP_Device.%s is no text", words[i].field);
    platform_breach(platform, status, what);
  }
}

static device_core *new_core(const modfs_platform *platform, int ordinal, TF_Status *status) {
  device_core *core = calloc(1, sizeof *core);
  if (!core) {
    status_no_memory(status);
    return NULL;
  }
  core->platform = platform;
  core->ordinal = ordinal;
  core->references = 1;
  device_abi_create_device(platform->abi, ordinal, &core->made, status);
  if (!status_ok(status)) {
    free(core);
    return NULL;
  }
  pthread_mutex_init(&core->lock, NULL);
  pthread_cond_init(&core->grown, NULL);
  return core;
}

static void free_core(device_core *core) {
  memory_free_allocator(core);
  core->platform->abi->fns.destroy_device(&core->platform->abi->platform.platform,
                                          &core->made.block.device);
  pthread_cond_destroy(&core->grown);
  pthread_mutex_destroy(&core->lock);
  free(core);
}

static device_core *make_core(const modfs_platform *platform, int ordinal, TF_Status *status) {
  device_core *core = new_core(platform, ordinal, status);
  if (core) check_words(platform, &core->made.block.device, status);
  if (status_ok(status)) return core;
  if (core) free_core(core);
  return NULL;
}

static device_core *hold_core(modfs_platform *platform, int ordinal, TF_Status *status) {
  lock_idle_platform(platform);
  device_core *core = platform->devices;
  while (core && core->ordinal != ordinal)
    core = core->next;
  if (core) {
    core->references++;
  } else {
    begin_work(platform);
    core = make_core(platform, ordinal, status);
    end_work(platform);
    if (core) {
      core->next = platform->devices;
      platform->devices = core;
    }
  }
  pthread_mutex_unlock(&platform->lock);
  return core;
}

static void drop_core(device_core *core) {
  modfs_platform *platform = platform_of(core->platform);
  lock_idle_platform(platform);
  if (--core->references == 0) {
    device_core **link = &platform->devices;
    while (*link != core)
      link = &(*link)->next;
    *link = core->next;
    begin_work(platform);
    free_core(core);
    end_work(platform);
  }
  pthread_mutex_unlock(&platform->lock);
}

/* Handles ------------------------------------------------------------------------ */

static void check_ordinal(const modfs_platform *platform, int ordinal, TF_Status *status) {
  int count = platform_count(platform, status);
  if (status_ok(status) && (ordinal < 0 || ordinal >= count))
    modfs_set_status(status, TF_INVALID_ARGUMENT, "there is no device %d: the platform has %d",
                     ordinal, count);
}

modfs_device *modfs_device_open(const modfs_platform *platform, int ordinal, TF_Status *status) {
  modfs_device *device = calloc(1, sizeof *device);
  status_clear(status);
  if (!device)
    status_no_memory(status);
  else
    check_ordinal(platform, ordinal, status);
  if (status_ok(status)) device->core = hold_core(platform_of(platform), ordinal, status);
  status_locate(status, "open a device of", platform->name);
  if (!status_ok(status)) {
    free(device);
    return NULL;
  }
  atomic_init(&device->references, 1);
  device->epoch = registry_epoch();
  return device;
}

/* In a forked child the core is not touched: it is the parent's. */
static void end_device(modfs_device *device) {
  if (device_is_own(device)) drop_core(device->core);
  free(device);
}

void modfs_device_drop(modfs_device *device) {
  if (device && atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) == 1)
    end_device(device);
}

void modfs_device_close(modfs_device *device, TF_Status *status) {
  size_t children = atomic_load(&device->children);
  status_clear(status);
  if (children == 0) {
    modfs_device_drop(device);
    return;
  }
  modfs_set_status(status, TF_FAILED_PRECONDITION,
                   "%zu of its memories, buffers, streams, events or timers are alive: close them "
                   "first",
                   children);
  status_locate(status, "close", device->core->platform->name);
}

void device_add_child(modfs_device *device) {
  atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&device->children, 1, memory_order_relaxed);
}

void device_drop_child(modfs_device *device) {
  atomic_fetch_sub_explicit(&device->children, 1, memory_order_relaxed);
  modfs_device_drop(device);
}

bool device_is_own(const modfs_device *device) {
  return device->epoch == registry_epoch();
}

bool device_is_inherited(const modfs_device *device, TF_Status *status) {
  if (device_is_own(device)) return false;
  TF_SetStatus(status, TF_FAILED_PRECONDITION,
               "it was opened before a fork and belongs to the parent process");
  return true;
}

void device_breach(const modfs_device *device, TF_Status *status, const char *what) {
  platform_breach(device->core->platform, status, what);
}

/* Facts -------------------------------------------------------------------------- */

modfs_device_facts modfs_device_describe(const modfs_device *device) {
  const SP_DeviceFns *fns =
      device_is_own(device) ? &device_abi_of(device)->device_fns : &device_unknown_fns;
  const SP_Device *handle = device_handle(device);
  bool rfc = device_abi_of(device)->rfc;
  return (modfs_device_facts){
      .platform = device->core->platform,
      .ordinal = device->core->ordinal,
      .hardware_name = rfc ? NULL : handle->hardware_name,
      .vendor = rfc ? NULL : handle->device_vendor,
      .pci_bus_id = rfc ? NULL : handle->pci_bus_id,
      .numa_node = fns->get_numa_node(handle),
      .memory_bandwidth = fns->get_memory_bandwidth(handle),
      .gflops = fns->get_gflops(handle),
  };
}

void device_usage(const device_core *core, int64_t *available, int64_t *all, TF_Status *status) {
  if (!device_abi_usage(core->platform->abi, &core->made.block.device, available, all))
    TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not tell");
  else if (*available < 0 || *all < *available)
    platform_breach(core->platform, status, "device_memory_usage gave impossible numbers");
}

void modfs_device_memory_usage(modfs_device *device, int64_t *free_bytes, int64_t *total,
                               TF_Status *status) {
  int64_t available = 0, all = 0;
  status_clear(status);
  if (device_is_inherited(device, status)) return;
  device_usage(device->core, &available, &all, status);
  if (status_ok(status)) {
    int64_t reserve = memory_in_reserve(device);
    *free_bytes = reserve < all - available ? available + reserve : all;
    *total = all;
  }
  status_locate(status, "memory usage of", device->core->platform->name);
}

void modfs_device_synchronize(modfs_device *device, TF_Status *status) {
  status_clear(status);
  if (!device_is_inherited(device, status))
    device_executor(device)->synchronize_all_activity(device_handle(device), status);
  status_locate(status, "synchronize", device->core->platform->name);
}
