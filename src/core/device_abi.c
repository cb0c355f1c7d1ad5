/* One file for all that differs between the generations:
 *
 *                        RFC 257   merged RFC   shipped A   B    C
 *   SP_Platform          40        41           33          34   35    bytes
 *   SP_PlatformFns       64        64           88          88   88
 *   SP_StreamExecutor    264       264          264         264  288
 *
 * The versions in the params are 0.0.1 in all of them, and 40 is also what a careless shipped plugin
 * stores (sizeof SP_Platform): where sizes prove nothing, the slots of the platform's functions
 * decide. What is handed to a plugin is oversized and zeroed, with a struct_size that no generation
 * has, so that an untouched one can be told. */
#include "device_abi.h"

#include <string.h>

#include "dylib.h"
#include "status.h"

enum { PLATFORM_ROOM = 48, FNS_ROOM = 104, EXECUTOR_ROOM = 320 };

enum { OLD_TAIL = 256, OLD_EXECUTOR_SIZE = 264 };

enum made {
  MADE_PLATFORM = 1,
  MADE_DEVICE_FNS = 2,
  MADE_EXECUTOR = 4,
  MADE_TIMER_FNS = 8,
  MADE_ALLOCATOR = 16
};

/* The RFC's own structs ---------------------------------------------------------- */

typedef struct rfc_platform {
  size_t struct_size;
  void *ext;
  const char *name;
  const char *type;
  size_t visible_device_count;
  TF_Bool supports_unified_memory; /* in the merged form only */
} rfc_platform;

typedef struct rfc_allocator {
  size_t struct_size;
  void *ext;
  TF_Bool supports_unified_memory;
} rfc_allocator;

typedef struct rfc_allocator_fns {
  size_t struct_size;
  void *ext;
  void (*allocate)(const SP_Device *device, const rfc_allocator *allocator, uint64_t size,
                   int64_t memory_space, SP_DeviceMemoryBase *memory);
  void (*deallocate)(const SP_Device *device, const rfc_allocator *allocator,
                     SP_DeviceMemoryBase *memory);
  void *(*host_memory_allocate)(const SP_Device *device, const rfc_allocator *allocator,
                                uint64_t size);
  void (*host_memory_deallocate)(const SP_Device *device, const rfc_allocator *allocator,
                                 void *memory);
  void *(*unified_memory_allocate)(const SP_Device *device, const rfc_allocator *allocator,
                                   uint64_t size);
  void (*unified_memory_deallocate)(const SP_Device *device, const rfc_allocator *allocator,
                                    void *memory);
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const rfc_allocator *allocator,
                                 SP_AllocatorStats *stats);
  TF_Bool (*device_memory_usage)(const SP_Device *device, const rfc_allocator *allocator,
                                 int64_t *free, int64_t *total);
} rfc_allocator_fns;

typedef struct rfc_custom_fns {
  size_t struct_size;
  void *ext;
  void *(*allocate_raw)(const SP_Device *device, const rfc_allocator *allocator, size_t size,
                        size_t alignment);
  void (*deallocate_raw)(const SP_Device *device, const rfc_allocator *allocator, void *memory);
  void *(*host_allocate_raw)(const SP_Device *device, const rfc_allocator *allocator,
                             uint64_t size);
  void (*host_deallocate_raw)(const SP_Device *device, const rfc_allocator *allocator,
                              void *memory);
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const rfc_allocator *allocator,
                                 SP_AllocatorStats *stats);
  TF_Bool (*device_memory_usage)(const SP_Device *device, const rfc_allocator *allocator,
                                 int64_t *free, int64_t *total);
} rfc_custom_fns;

/* The same shape for both kinds of allocator. */
typedef struct rfc_create_allocator_params {
  size_t struct_size;
  void *ext;
  void *allocator;
  void *fns;
} rfc_create_allocator_params;

typedef struct rfc_platform_fns {
  size_t struct_size;
  void *ext;
  void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status);
  void (*destroy_device)(const SP_Platform *platform, SP_Device *device);
  void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                 TF_Status *status);
  void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *executor);
  void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns, TF_Status *status);
  void (*destroy_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns);
  void (*create_allocator)(const SP_Platform *platform, rfc_create_allocator_params *params,
                           TF_Status *status);
  void (*destroy_allocator)(const SP_Platform *platform, void *allocator, void *fns);
  void (*create_custom_allocator)(const SP_Platform *platform, rfc_create_allocator_params *params,
                                  TF_Status *status);
  void (*destroy_custom_allocator)(const SP_Platform *platform, void *allocator, void *fns);
} rfc_platform_fns;

static const rfc_platform *platform_of_rfc(const device_abi *abi) {
  return (const rfc_platform *)(const void *)&abi->platform;
}

static const rfc_platform_fns *fns_of_rfc(const device_abi *abi) {
  return (const rfc_platform_fns *)(const void *)&abi->platform_fns;
}

static const rfc_allocator *allocator_of_rfc(const device_abi *abi) {
  return (const rfc_allocator *)(const void *)&abi->allocator_block;
}

static const rfc_allocator_fns *allocator_fns_of_rfc(const device_abi *abi) {
  return (const rfc_allocator_fns *)(const void *)&abi->allocator_fns_block;
}

static const rfc_custom_fns *custom_fns_of_rfc(const device_abi *abi) {
  return (const rfc_custom_fns *)(const void *)&abi->allocator_fns_block;
}

/* Telling the generations apart --------------------------------------------------- */

static bool has_slot(const abi_block *block, size_t offset) {
  return block->slots[offset / sizeof(void *)] != NULL;
}

static bool slots_say_rfc(const abi_block *fns) {
  bool at64 = has_slot(fns, 64), at72 = has_slot(fns, 72), at80 = has_slot(fns, 80);
  return !at64 || (at72 && !at80);
}

static bool is_rfc(const device_abi *abi) {
  switch (abi->platform.struct_size) {
  case 33:
  case 34:
  case 35:
    return false;
  case 41:
    return true;
  default:
    break;
  }
  if (abi->platform_fns.struct_size == 64) return true;
  return abi->platform_fns.struct_size != 88 && slots_say_rfc(&abi->platform_fns);
}

static bool has_old_tail(const abi_block *executor) {
  if (executor->struct_size == OLD_EXECUTOR_SIZE) return true;
  if (executor->struct_size == SP_STREAMEXECUTOR_STRUCT_SIZE) return false;
  return has_slot(executor, OLD_TAIL) && !has_slot(executor, 264) && !has_slot(executor, 272) &&
         !has_slot(executor, 280);
}

/* Validation ---------------------------------------------------------------------- */

typedef struct slot_rule {
  size_t offset;
  const char *name;
} slot_rule;

#define SLOT_OF(type, member)                                                                      \
  { offsetof(type, member), #type "." #member }

static const slot_rule shipped_fns_rules[] = {
    SLOT_OF(SP_PlatformFns, get_device_count),
    SLOT_OF(SP_PlatformFns, create_device),
    SLOT_OF(SP_PlatformFns, destroy_device),
    SLOT_OF(SP_PlatformFns, create_stream_executor),
    SLOT_OF(SP_PlatformFns, destroy_stream_executor),
    SLOT_OF(SP_PlatformFns, create_device_fns),
    SLOT_OF(SP_PlatformFns, destroy_device_fns),
    {0, NULL},
};

static const slot_rule rfc_fns_rules[] = {
    {offsetof(rfc_platform_fns, create_device), "SP_PlatformFns.create_device"},
    {offsetof(rfc_platform_fns, destroy_device), "SP_PlatformFns.destroy_device"},
    {offsetof(rfc_platform_fns, create_stream_executor), "SP_PlatformFns.create_stream_executor"},
    {offsetof(rfc_platform_fns, destroy_stream_executor), "SP_PlatformFns.destroy_stream_executor"},
    {0, NULL},
};

static const slot_rule memory_rules[] = {
    SLOT_OF(SP_StreamExecutor, allocate),
    SLOT_OF(SP_StreamExecutor, deallocate),
    SLOT_OF(SP_StreamExecutor, get_allocator_stats),
    SLOT_OF(SP_StreamExecutor, host_memory_allocate),
    SLOT_OF(SP_StreamExecutor, host_memory_deallocate),
    {0, NULL},
};

static const slot_rule unified_rules[] = {
    SLOT_OF(SP_StreamExecutor, unified_memory_allocate),
    SLOT_OF(SP_StreamExecutor, unified_memory_deallocate),
    {0, NULL},
};

static const slot_rule usage_rules[] = {
    SLOT_OF(SP_StreamExecutor, device_memory_usage),
    {0, NULL},
};

static const slot_rule executor_rules[] = {
    SLOT_OF(SP_StreamExecutor, create_stream),
    SLOT_OF(SP_StreamExecutor, destroy_stream),
    SLOT_OF(SP_StreamExecutor, create_stream_dependency),
    SLOT_OF(SP_StreamExecutor, get_stream_status),
    SLOT_OF(SP_StreamExecutor, create_event),
    SLOT_OF(SP_StreamExecutor, destroy_event),
    SLOT_OF(SP_StreamExecutor, get_event_status),
    SLOT_OF(SP_StreamExecutor, record_event),
    SLOT_OF(SP_StreamExecutor, wait_for_event),
    SLOT_OF(SP_StreamExecutor, memcpy_dtoh),
    SLOT_OF(SP_StreamExecutor, memcpy_htod),
    SLOT_OF(SP_StreamExecutor, sync_memcpy_dtoh),
    SLOT_OF(SP_StreamExecutor, sync_memcpy_htod),
    SLOT_OF(SP_StreamExecutor, block_host_for_event),
    SLOT_OF(SP_StreamExecutor, synchronize_all_activity),
    SLOT_OF(SP_StreamExecutor, host_callback),
    {0, NULL},
};

static const slot_rule rfc_allocator_rules[] = {
    {offsetof(rfc_allocator_fns, allocate), "SP_AllocatorFns.allocate"},
    {offsetof(rfc_allocator_fns, deallocate), "SP_AllocatorFns.deallocate"},
    {offsetof(rfc_allocator_fns, get_allocator_stats), "SP_AllocatorFns.get_allocator_stats"},
    {offsetof(rfc_allocator_fns, host_memory_allocate), "SP_AllocatorFns.host_memory_allocate"},
    {offsetof(rfc_allocator_fns, host_memory_deallocate), "SP_AllocatorFns.host_memory_deallocate"},
    {offsetof(rfc_allocator_fns, device_memory_usage), "SP_AllocatorFns.device_memory_usage"},
    {0, NULL},
};

static const slot_rule rfc_custom_rules[] = {
    {offsetof(rfc_custom_fns, allocate_raw), "SP_CustomAllocatorFns.allocate_raw"},
    {offsetof(rfc_custom_fns, deallocate_raw), "SP_CustomAllocatorFns.deallocate_raw"},
    {offsetof(rfc_custom_fns, host_allocate_raw), "SP_CustomAllocatorFns.host_allocate_raw"},
    {offsetof(rfc_custom_fns, host_deallocate_raw), "SP_CustomAllocatorFns.host_deallocate_raw"},
    {offsetof(rfc_custom_fns, get_allocator_stats), "SP_CustomAllocatorFns.get_allocator_stats"},
    {offsetof(rfc_custom_fns, device_memory_usage), "SP_CustomAllocatorFns.device_memory_usage"},
    {0, NULL},
};

static void check_slots(const void *table, const slot_rule *rules, TF_Status *status) {
  for (const slot_rule *rule = rules; rule->name && status_ok(status); rule++) {
    const void *address;
    memcpy(&address, (const char *)table + rule->offset, sizeof address);
    if (!address)
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s is missing", rule->name);
    else if (!dylib_owns(address))
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s is not code", rule->name);
  }
}

static void check_size(size_t struct_size, const char *name, TF_Status *status) {
  if (status_ok(status) && struct_size == 0)
    modfs_set_status(status, TF_FAILED_PRECONDITION, "%s.struct_size is 0", name);
}

static bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

static void check_word(const char *word, const char *field, TF_Status *status) {
  if (!status_ok(status)) return;
  size_t length = 0;
  while (word && length < 256 && (is_capital(word[length]) || (length > 0 && word[length] == '_')))
    length++;
  if (!word)
    modfs_set_status(status, TF_FAILED_PRECONDITION, "SP_Platform.%s is missing", field);
  else if (length == 0 || length == 256 || word[length] != '\0')
    modfs_set_status(status, TF_FAILED_PRECONDITION,
                     "SP_Platform.%s \"%.40s\" does not match [A-Z][A-Z_]*", field, word);
}

static void check_params(const SE_PlatformRegistrationParams *params, TF_Status *status) {
  check_size(params->struct_size, "SE_PlatformRegistrationParams", status);
  if (status_ok(status) && !params->destroy_platform)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "SE_PlatformRegistrationParams.destroy_platform is missing");
  else if (status_ok(status) && !params->destroy_platform_fns)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "SE_PlatformRegistrationParams.destroy_platform_fns is missing");
}

static void check_platform(const device_abi *abi, TF_Status *status) {
  check_size(abi->platform.struct_size, "SP_Platform", status);
  check_word(abi->platform.platform.name, "name", status);
  check_word(abi->platform.platform.type, "type", status);
  check_size(abi->platform_fns.struct_size, "SP_PlatformFns", status);
  check_slots(&abi->platform_fns, abi->rfc ? rfc_fns_rules : shipped_fns_rules, status);
}

/* Bringing it to one form ----------------------------------------------------------- */

static void settle_rfc_platform(device_abi *abi) {
  const rfc_platform *platform = platform_of_rfc(abi);
  const rfc_platform_fns *fns = fns_of_rfc(abi);
  abi->fns = (SP_PlatformFns){.struct_size = SP_PLATFORM_FNS_STRUCT_SIZE,
                              .create_device = fns->create_device,
                              .destroy_device = fns->destroy_device,
                              .create_stream_executor = fns->create_stream_executor,
                              .destroy_stream_executor = fns->destroy_stream_executor,
                              .create_timer_fns = fns->create_timer_fns,
                              .destroy_timer_fns = fns->destroy_timer_fns};
  abi->device_count = platform->visible_device_count;
  abi->unified = platform->struct_size == 41 && platform->supports_unified_memory;
  if (fns->create_custom_allocator)
    abi->allocator = ABI_ALLOCATOR_CUSTOM;
  else if (fns->create_allocator)
    abi->allocator = ABI_ALLOCATOR_RFC;
  abi->bfc = abi->allocator == ABI_ALLOCATOR_RFC;
}

/* Members that a plugin's struct_size does not cover read as 0: they were handed out zeroed. */
static void settle_shipped_platform(device_abi *abi) {
  const SP_Platform *platform = &abi->platform.platform;
  abi->fns = abi->platform_fns.platform_fns;
  abi->unified = platform->supports_unified_memory;
  abi->bfc = platform->struct_size >= TF_OFFSET_OF_END(SP_Platform, use_bfc_allocator) &&
             platform->use_bfc_allocator;
  abi->grows = platform->struct_size >= SP_PLATFORM_STRUCT_SIZE && platform->force_memory_growth;
}

static void settle_executor(device_abi *abi) {
  SP_StreamExecutor *executor = &abi->executor;
  *executor = abi->executor_block.executor;
  if (!has_old_tail(&abi->executor_block)) return;
  memcpy(&executor->host_callback, abi->executor_block.bytes + OLD_TAIL,
         sizeof executor->host_callback);
  executor->mem_zero = NULL;
  executor->memset = NULL;
  executor->memset32 = NULL;
}

/* Making and destroying the parts ---------------------------------------------------- */

static void register_platform(device_abi *abi, abi_init entry, TF_Status *status) {
  SE_PlatformRegistrationParams params = {
      .struct_size = SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE,
      .major_version = SE_MAJOR,
      .minor_version = SE_MINOR,
      .patch_version = SE_PATCH,
      .platform = &abi->platform.platform,
      .platform_fns = &abi->platform_fns.platform_fns,
  };
  abi->platform.struct_size = PLATFORM_ROOM;
  abi->platform_fns.struct_size = FNS_ROOM;
  entry(&params, status);
  if (status_ok(status)) check_params(&params, status);
  if (!status_ok(status)) return;
  abi->destroy_platform = params.destroy_platform;
  abi->destroy_platform_fns = params.destroy_platform_fns;
  abi->made |= MADE_PLATFORM;
  abi->rfc = is_rfc(abi);
  check_platform(abi, status);
  if (!status_ok(status)) return;
  if (abi->rfc)
    settle_rfc_platform(abi);
  else
    settle_shipped_platform(abi);
}

static void make_device_fns(device_abi *abi, TF_Status *status) {
  SE_CreateDeviceFnsParams params = {.struct_size = SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE,
                                     .device_fns = &abi->device_fns_block.device_fns};
  if (!status_ok(status) || abi->rfc) return;
  abi->device_fns_block.struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
  abi->fns.create_device_fns(&abi->platform.platform, &params, status);
  if (!status_ok(status)) return;
  abi->made |= MADE_DEVICE_FNS;
  check_size(abi->device_fns_block.struct_size, "SP_DeviceFns", status);
  abi->device_fns = abi->device_fns_block.device_fns;
}

static void make_allocator(device_abi *abi, TF_Status *status) {
  const rfc_platform_fns *fns = fns_of_rfc(abi);
  rfc_create_allocator_params params = {.struct_size = sizeof params,
                                        .allocator = &abi->allocator_block,
                                        .fns = &abi->allocator_fns_block};
  if (!status_ok(status) || abi->allocator == ABI_ALLOCATOR_EXECUTOR) return;
  bool custom = abi->allocator == ABI_ALLOCATOR_CUSTOM;
  abi->allocator_block.struct_size = custom ? 16 : 17;
  abi->allocator_fns_block.struct_size = custom ? 64 : 80;
  (custom ? fns->create_custom_allocator : fns->create_allocator)(&abi->platform.platform, &params,
                                                                  status);
  if (!status_ok(status)) return;
  abi->made |= MADE_ALLOCATOR;
  check_size(abi->allocator_block.struct_size, "SP_Allocator", status);
  check_size(abi->allocator_fns_block.struct_size, "SP_AllocatorFns", status);
  check_slots(&abi->allocator_fns_block, custom ? rfc_custom_rules : rfc_allocator_rules, status);
  const rfc_allocator_fns *memory = allocator_fns_of_rfc(abi);
  if (!custom)
    abi->unified = allocator_of_rfc(abi)->supports_unified_memory &&
                   memory->unified_memory_allocate && memory->unified_memory_deallocate;
}

static void check_executor(const device_abi *abi, TF_Status *status) {
  const SP_StreamExecutor *executor = &abi->executor;
  check_size(executor->struct_size, "SP_StreamExecutor", status);
  if (abi->allocator == ABI_ALLOCATOR_EXECUTOR) {
    check_slots(executor, memory_rules, status);
    if (abi->unified) check_slots(executor, unified_rules, status);
    check_slots(executor, usage_rules, status);
  }
  check_slots(executor, executor_rules, status);
}

static void make_executor(device_abi *abi, TF_Status *status) {
  SE_CreateStreamExecutorParams params = {.struct_size =
                                              SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE,
                                          .stream_executor = &abi->executor_block.executor};
  if (!status_ok(status)) return;
  abi->executor_block.struct_size = EXECUTOR_ROOM;
  abi->fns.create_stream_executor(&abi->platform.platform, &params, status);
  if (!status_ok(status)) return;
  abi->made |= MADE_EXECUTOR;
  settle_executor(abi);
  check_executor(abi, status);
}

static bool has_timers(const device_abi *abi) {
  const SP_StreamExecutor *executor = &abi->executor;
  return abi->fns.create_timer_fns && abi->fns.destroy_timer_fns && executor->create_timer &&
         executor->destroy_timer && executor->start_timer && executor->stop_timer;
}

static void make_timer_fns(device_abi *abi, TF_Status *status) {
  SP_TimerFns *timer_fns = &abi->timer_fns_block.timer_fns;
  if (!status_ok(status) || !has_timers(abi)) return;
  timer_fns->struct_size = SP_TIMER_FNS_STRUCT_SIZE;
  abi->fns.create_timer_fns(&abi->platform.platform, timer_fns, status);
  if (!status_ok(status)) return;
  abi->made |= MADE_TIMER_FNS;
  check_size(timer_fns->struct_size, "SP_TimerFns", status);
  if (status_ok(status) && !timer_fns->nanoseconds)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "SP_TimerFns.nanoseconds is missing");
  abi->timer_nanoseconds = timer_fns->nanoseconds;
}

void device_abi_init(device_abi *abi, abi_init entry, TF_Status *status) {
  memset(abi, 0, sizeof *abi);
  register_platform(abi, entry, status);
  make_device_fns(abi, status);
  make_allocator(abi, status);
  make_executor(abi, status);
  make_timer_fns(abi, status);
  if (!status_ok(status)) device_abi_fini(abi);
}

static void destroy_allocator(device_abi *abi) {
  const rfc_platform_fns *fns = fns_of_rfc(abi);
  void (*destroy)(const SP_Platform *, void *, void *) = abi->allocator == ABI_ALLOCATOR_CUSTOM
                                                             ? fns->destroy_custom_allocator
                                                             : fns->destroy_allocator;
  if (destroy) destroy(&abi->platform.platform, &abi->allocator_block, &abi->allocator_fns_block);
}

void device_abi_fini(device_abi *abi) {
  SP_Platform *platform = &abi->platform.platform;
  if (abi->made & MADE_DEVICE_FNS)
    abi->fns.destroy_device_fns(platform, &abi->device_fns_block.device_fns);
  if (abi->made & MADE_ALLOCATOR) destroy_allocator(abi);
  if (abi->made & MADE_EXECUTOR)
    abi->fns.destroy_stream_executor(platform, &abi->executor_block.executor);
  if (abi->made & MADE_TIMER_FNS)
    abi->fns.destroy_timer_fns(platform, &abi->timer_fns_block.timer_fns);
  if (abi->made & MADE_PLATFORM) {
    abi->destroy_platform(platform);
    abi->destroy_platform_fns(&abi->platform_fns.platform_fns);
  }
  abi->made = 0;
}

/* The calls -------------------------------------------------------------------------- */

int device_abi_count(const device_abi *abi, TF_Status *status) {
  int count = 0;
  if (abi->rfc) return abi->device_count < INT32_MAX ? (int)abi->device_count : INT32_MAX;
  abi->fns.get_device_count(&abi->platform.platform, &count, status);
  return status_ok(status) && count > 0 ? count : 0;
}

void device_abi_create_device(const device_abi *abi, int ordinal, abi_block *device,
                              TF_Status *status) {
  SE_CreateDeviceParams params = {.struct_size = SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE,
                                  .ordinal = ordinal,
                                  .device = &device->device};
  memset(device, 0, sizeof *device);
  device->struct_size = SP_DEVICE_STRUCT_SIZE;
  device->device.ordinal = ordinal;
  abi->fns.create_device(&abi->platform.platform, &params, status);
  if (!status_ok(status) || device->struct_size > 0) return;
  abi->fns.destroy_device(&abi->platform.platform, &device->device);
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "SP_Device.struct_size is 0");
}

void device_abi_allocate(const device_abi *abi, const SP_Device *device, uint64_t size,
                         SP_DeviceMemoryBase *memory) {
  *memory = (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE};
  if (abi->allocator == ABI_ALLOCATOR_RFC) {
    allocator_fns_of_rfc(abi)->allocate(device, allocator_of_rfc(abi), size, 0, memory);
  } else if (abi->allocator == ABI_ALLOCATOR_CUSTOM) {
    memory->opaque = custom_fns_of_rfc(abi)->allocate_raw(device, allocator_of_rfc(abi), size, 256);
    memory->size = size;
  } else {
    abi->executor.allocate(device, size, 0, memory);
  }
}

void device_abi_deallocate(const device_abi *abi, const SP_Device *device,
                           SP_DeviceMemoryBase *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    allocator_fns_of_rfc(abi)->deallocate(device, allocator_of_rfc(abi), memory);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    custom_fns_of_rfc(abi)->deallocate_raw(device, allocator_of_rfc(abi), memory->opaque);
  else
    abi->executor.deallocate(device, memory);
}

void *device_abi_host_allocate(const device_abi *abi, const SP_Device *device, uint64_t size) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return allocator_fns_of_rfc(abi)->host_memory_allocate(device, allocator_of_rfc(abi), size);
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    return custom_fns_of_rfc(abi)->host_allocate_raw(device, allocator_of_rfc(abi), size);
  return abi->executor.host_memory_allocate(device, size);
}

void device_abi_host_deallocate(const device_abi *abi, const SP_Device *device, void *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    allocator_fns_of_rfc(abi)->host_memory_deallocate(device, allocator_of_rfc(abi), memory);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    custom_fns_of_rfc(abi)->host_deallocate_raw(device, allocator_of_rfc(abi), memory);
  else
    abi->executor.host_memory_deallocate(device, memory);
}

void *device_abi_unified_allocate(const device_abi *abi, const SP_Device *device, uint64_t size) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return allocator_fns_of_rfc(abi)->unified_memory_allocate(device, allocator_of_rfc(abi), size);
  return abi->executor.unified_memory_allocate(device, size);
}

void device_abi_unified_deallocate(const device_abi *abi, const SP_Device *device, void *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    allocator_fns_of_rfc(abi)->unified_memory_deallocate(device, allocator_of_rfc(abi), memory);
  else
    abi->executor.unified_memory_deallocate(device, memory);
}

bool device_abi_stats(const device_abi *abi, const SP_Device *device, SP_AllocatorStats *stats) {
  TF_Bool known;
  *stats = (SP_AllocatorStats){.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE};
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    known = allocator_fns_of_rfc(abi)->get_allocator_stats(device, allocator_of_rfc(abi), stats);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    known = custom_fns_of_rfc(abi)->get_allocator_stats(device, allocator_of_rfc(abi), stats);
  else
    known = abi->executor.get_allocator_stats(device, stats);
  return known && stats->struct_size > 0;
}

bool device_abi_usage(const device_abi *abi, const SP_Device *device, int64_t *free,
                      int64_t *total) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return allocator_fns_of_rfc(abi)->device_memory_usage(device, allocator_of_rfc(abi), free,
                                                          total);
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    return custom_fns_of_rfc(abi)->device_memory_usage(device, allocator_of_rfc(abi), free, total);
  return abi->executor.device_memory_usage(device, free, total);
}
