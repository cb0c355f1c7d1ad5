#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/dylib.h"
#include "core/base/status.h"

void runner_platform_open(runner_platform *platform, const char *path, TF_Status *status) {
  char *whole = realpath(path, NULL);
  void *library = dylib_open(whole ? whole : path, status);
  void *address = library ? dylib_symbol(library, "SE_InitPlugin") : NULL;
  abi_init entry;
  free(whole);
  memcpy(&entry, &address, sizeof entry);
  if (entry)
    device_abi_init(&platform->abi, entry, status);
  else if (status_ok(status))
    TF_SetStatus(status, TF_NOT_FOUND, "no function SE_InitPlugin");
}

/* Slots ------------------------------------------------------------------------------ */

typedef struct slot_place {
  const char *name;
  size_t offset;
  enum table { FNS, EXECUTOR, DEVICE_FNS, TIMER_FNS } table;
  const char *otherwise; /* who implements an empty one */
} slot_place;

#define IN(type, table, member, otherwise)                                                         \
  { #member, offsetof(type, member), table, otherwise }
#define PLATFORM_SLOT(member) IN(SP_PlatformFns, FNS, member, "default")
#define SLOT(member, otherwise) IN(SP_StreamExecutor, EXECUTOR, member, otherwise)

static const slot_place places[] = {
    PLATFORM_SLOT(get_device_count),
    PLATFORM_SLOT(create_device),
    PLATFORM_SLOT(destroy_device),
    PLATFORM_SLOT(create_stream_executor),
    IN(SP_DeviceFns, DEVICE_FNS, get_numa_node, "default"),
    IN(SP_DeviceFns, DEVICE_FNS, get_memory_bandwidth, "default"),
    IN(SP_DeviceFns, DEVICE_FNS, get_gflops, "default"),
    SLOT(create_stream, "missing"),
    SLOT(destroy_stream, "missing"),
    SLOT(create_stream_dependency, "missing"),
    SLOT(get_stream_status, "missing"),
    SLOT(create_event, "missing"),
    SLOT(destroy_event, "missing"),
    SLOT(get_event_status, "missing"),
    SLOT(record_event, "missing"),
    SLOT(wait_for_event, "missing"),
    SLOT(create_timer, "missing"),
    SLOT(destroy_timer, "missing"),
    SLOT(start_timer, "missing"),
    SLOT(stop_timer, "missing"),
    {"nanoseconds", 0, TIMER_FNS, "missing"},
    SLOT(memcpy_dtoh, "missing"),
    SLOT(memcpy_htod, "missing"),
    SLOT(memcpy_dtod, "default"),
    SLOT(sync_memcpy_dtoh, "missing"),
    SLOT(sync_memcpy_htod, "missing"),
    SLOT(sync_memcpy_dtod, "default"),
    SLOT(block_host_for_event, "missing"),
    SLOT(block_host_until_done, "default"),
    SLOT(synchronize_all_activity, "missing"),
    SLOT(mem_zero, "default"),
    SLOT(memset, "default"),
    SLOT(memset32, "missing"),
    SLOT(host_callback, "missing"),
};

/* The memory slots are in one of three tables; the loader has checked that they are present. */
static const char *const memory_slots[] = {"allocate",
                                           "deallocate",
                                           "host_memory_allocate",
                                           "host_memory_deallocate",
                                           "unified_memory_allocate",
                                           "unified_memory_deallocate",
                                           "get_allocator_stats",
                                           "device_memory_usage"};

enum {
  PLACES = sizeof places / sizeof *places,
  MEMORY_SLOTS = sizeof memory_slots / sizeof *memory_slots
};

static const void *table_of(const device_abi *abi, enum table table) {
  switch (table) {
  case FNS:
    return &abi->fns;
  case DEVICE_FNS:
    return &abi->device_fns;
  case TIMER_FNS:
    return &abi->timer_nanoseconds;
  default:
    return &abi->executor;
  }
}

static runner_slot slot_at(const device_abi *abi, const slot_place *place) {
  const void *address;
  memcpy(&address, (const char *)table_of(abi, place->table) + place->offset, sizeof address);
  bool counted = abi->rfc && strcmp(place->name, "get_device_count") == 0;
  return (runner_slot){place->name, address || counted ? "plugin" : place->otherwise};
}

runner_slot runner_platform_slot(const runner_platform *platform, size_t index) {
  if (index < PLACES) return slot_at(&platform->abi, &places[index]);
  index -= PLACES;
  if (index >= MEMORY_SLOTS) return (runner_slot){NULL, NULL};
  const char *name = memory_slots[index];
  bool unified = strncmp(name, "unified", 7) == 0;
  return (runner_slot){name, unified && !platform->abi.unified ? "missing" : "plugin"};
}

/* Sizes ------------------------------------------------------------------------------ */

static bool writes_beyond(const abi_block *block) {
  size_t size = block->struct_size;
  for (size_t i = size; i < sizeof block->bytes; i++)
    if (block->bytes[i] != 0) return true;
  return false;
}

/* The sizes in the RFC do not include its allocator functions, so only shipped forms are checked. */
const char *runner_platform_overrun(const runner_platform *platform) {
  const device_abi *abi = &platform->abi;
  if (abi->rfc) return NULL;
  if (writes_beyond(&abi->platform)) return "SP_Platform";
  if (writes_beyond(&abi->platform_fns)) return "SP_PlatformFns";
  if (writes_beyond(&abi->device_fns_block)) return "SP_DeviceFns";
  if (writes_beyond(&abi->executor_block)) return "SP_StreamExecutor";
  return writes_beyond(&abi->timer_fns_block) ? "SP_TimerFns" : NULL;
}
