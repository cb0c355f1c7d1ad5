/* What the tables and devices say of themselves. */
#include "device_mutant.h"

#include <math.h>

static void count_negative(const SP_Platform *platform, int *count, TF_Status *status) {
  *count = -1;
}

static void count_grows(const SP_Platform *platform, int *count, TF_Status *status) {
  static int more;
  good_fns.get_device_count(platform, count, status);
  *count += more++;
}

static void count_fails(const SP_Platform *platform, int *count, TF_Status *status) {
  TF_SetStatus(status, TF_INTERNAL, "nobody counts");
}

static void ordinal_0(const SP_Platform *platform, SE_CreateDeviceParams *params,
                      TF_Status *status) {
  good_fns.create_device(platform, params, status);
  params->device->ordinal = 0;
}

static void no_words(const SP_Platform *platform, SE_CreateDeviceParams *params,
                     TF_Status *status) {
  good_fns.create_device(platform, params, status);
  params->device->hardware_name = "";
}

static void strange_words(const SP_Platform *platform, SE_CreateDeviceParams *params,
                          TF_Status *status) {
  good_fns.create_device(platform, params, status);
  params->device->pci_bus_id = "0000\n00";
}

static void no_size(const SP_Platform *platform, SE_CreateDeviceParams *params, TF_Status *status) {
  good_fns.create_device(platform, params, status);
  params->device->struct_size = 0;
}

static void made_once(const SP_Platform *platform, SE_CreateDeviceParams *params,
                      TF_Status *status) {
  static int made;
  if (made++ < 3)
    good_fns.create_device(platform, params, status);
  else
    TF_SetStatus(status, TF_INTERNAL, "there were three already");
}

/* Destroying one destroys what the others have. */
static void destroy_all(const SP_Platform *platform, SP_Device *device) {
  for (int i = 0; i < 2; i++) {
    SP_Device copy = *device;
    good_fns.destroy_device(platform, &copy);
  }
  good_fns.destroy_device(platform, device);
}

static int32_t wild_node(DEVICE) {
  return 1 << 30;
}

static int32_t node_elsewhere(DEVICE) {
  return 1023;
}

static int64_t bandwidth_changes(DEVICE) {
  static int64_t next = 1000;
  return next++;
}

static double no_number(DEVICE) {
  return NAN;
}

static void count_none(const SP_Platform *platform, int *count, TF_Status *status) {
  *count = 0;
}

/* Slots that do nothing, and say that all is well. */
static void *nothing(void) {
  return NULL;
}

static void hollow(mutant_tables *tables) {
  void *(*slot)(void) = nothing;
  char *first = (char *)&tables->executor->allocate;
  char *end = (char *)tables->executor + SP_STREAMEXECUTOR_STRUCT_SIZE;
  for (char *at = first; at < end; at += sizeof slot)
    memcpy(at, &slot, sizeof slot);
  memcpy(&tables->timer_fns->nanoseconds, &slot, sizeof slot);
}

bool table_fault_apply(mutant_tables *tables, const char *name) {
  ON("hollow", hollow(tables))
  ON("hollow.empty", tables->fns->get_device_count = count_none)
  ON("name.lower", tables->platform->name = "reference")
  ON("name.semicolon", tables->platform->name = "REFER;ENCE")
  ON("name.slash", tables->platform->name = "REFERENCE/")
  ON("name.null", tables->platform->name = NULL)
  ON("type.null", tables->platform->type = NULL)
  ON("null.create.device", tables->fns->create_device = NULL)
  ON("null.count", tables->fns->get_device_count = NULL)
  ON("null.allocate", tables->executor->allocate = NULL)
  ON("null.unified", tables->executor->unified_memory_allocate = NULL)
  ON("null.host.callback", tables->executor->host_callback = NULL)
  ON("null.nanoseconds", tables->timer_fns->nanoseconds = NULL)
  ON("size.executor", tables->executor->struct_size = 0)
  ON("size.device.fns", tables->device_fns->struct_size = 0)
  ON("overrun.executor", tables->executor->ext = tables)
  ON("overrun.fns", ((char *)tables->fns)[100] = 1)
  ON("count.negative", tables->fns->get_device_count = count_negative)
  ON("count.grows", tables->fns->get_device_count = count_grows)
  ON("count.fails", tables->fns->get_device_count = count_fails)
  ON("device.ordinal", tables->fns->create_device = ordinal_0)
  ON("device.no.words", tables->fns->create_device = no_words)
  ON("device.strange.words", tables->fns->create_device = strange_words)
  ON("device.no.size", tables->fns->create_device = no_size)
  ON("device.destroys.others", tables->fns->destroy_device = destroy_all)
  ON("device.made.once", tables->fns->create_device = made_once)
  ON("numa.wild", tables->device_fns->get_numa_node = wild_node)
  ON("numa.elsewhere", tables->device_fns->get_numa_node = node_elsewhere)
  ON("bandwidth.changes", tables->device_fns->get_memory_bandwidth = bandwidth_changes)
  ON("gflops.nan", tables->device_fns->get_gflops = no_number)
  return false;
}
