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

#include <modfs/stream_executor_rfc.h>

#include "dylib.h"
#include "status.h"

enum { PLATFORM_ROOM = 48, FNS_ROOM = 104, EXECUTOR_ROOM = 320 };

enum made {
  MADE_PLATFORM = 1,
  MADE_DEVICE_FNS = 2,
  MADE_EXECUTOR = 4,
  MADE_TIMER_FNS = 8,
  MADE_ALLOCATOR = 16
};

/* The parts as the RFC has them ---------------------------------------------------- */

static const SP_RfcPlatform *platform_of_rfc(const device_abi *abi) {
  return (const SP_RfcPlatform *)(const void *)&abi->platform;
}

static const SP_RfcPlatformFns *fns_of_rfc(const device_abi *abi) {
  return (const SP_RfcPlatformFns *)(const void *)&abi->platform_fns;
}

static const SP_RfcAllocator *allocator_of_rfc(const device_abi *abi) {
  return (const SP_RfcAllocator *)(const void *)&abi->allocator_block;
}

static const SP_RfcCustomAllocator *custom_of_rfc(const device_abi *abi) {
  return (const SP_RfcCustomAllocator *)(const void *)&abi->allocator_block;
}

static const SP_RfcAllocatorFns *allocator_fns_of_rfc(const device_abi *abi) {
  return (const SP_RfcAllocatorFns *)(const void *)&abi->allocator_fns_block;
}

static const SP_RfcCustomAllocatorFns *custom_fns_of_rfc(const device_abi *abi) {
  return (const SP_RfcCustomAllocatorFns *)(const void *)&abi->allocator_fns_block;
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
  if (executor->struct_size == SP_RFC_STREAMEXECUTOR_STRUCT_SIZE) return true;
  if (executor->struct_size == SP_STREAMEXECUTOR_STRUCT_SIZE) return false;
  return has_slot(executor, SP_RFC_HOST_CALLBACK_OFFSET) && !has_slot(executor, 264) &&
         !has_slot(executor, 272) && !has_slot(executor, 280);
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
    {offsetof(SP_RfcPlatformFns, create_device), "SP_PlatformFns.create_device"},
    {offsetof(SP_RfcPlatformFns, destroy_device), "SP_PlatformFns.destroy_device"},
    {offsetof(SP_RfcPlatformFns, create_stream_executor), "SP_PlatformFns.create_stream_executor"},
    {offsetof(SP_RfcPlatformFns, destroy_stream_executor),
     "SP_PlatformFns.destroy_stream_executor"},
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
    {offsetof(SP_RfcAllocatorFns, allocate), "SP_AllocatorFns.allocate"},
    {offsetof(SP_RfcAllocatorFns, deallocate), "SP_AllocatorFns.deallocate"},
    {offsetof(SP_RfcAllocatorFns, get_allocator_stats), "SP_AllocatorFns.get_allocator_stats"},
    {offsetof(SP_RfcAllocatorFns, host_memory_allocate), "SP_AllocatorFns.host_memory_allocate"},
    {offsetof(SP_RfcAllocatorFns, host_memory_deallocate),
     "SP_AllocatorFns.host_memory_deallocate"},
    {offsetof(SP_RfcAllocatorFns, device_memory_usage), "SP_AllocatorFns.device_memory_usage"},
    {0, NULL},
};

static const slot_rule rfc_unified_rules[] = {
    {offsetof(SP_RfcAllocatorFns, unified_memory_allocate),
     "SP_AllocatorFns.unified_memory_allocate"},
    {offsetof(SP_RfcAllocatorFns, unified_memory_deallocate),
     "SP_AllocatorFns.unified_memory_deallocate"},
    {0, NULL},
};

static const slot_rule rfc_custom_rules[] = {
    {offsetof(SP_RfcCustomAllocatorFns, allocate_raw), "SP_CustomAllocatorFns.allocate_raw"},
    {offsetof(SP_RfcCustomAllocatorFns, deallocate_raw), "SP_CustomAllocatorFns.deallocate_raw"},
    {offsetof(SP_RfcCustomAllocatorFns, host_allocate_raw),
     "SP_CustomAllocatorFns.host_allocate_raw"},
    {offsetof(SP_RfcCustomAllocatorFns, host_deallocate_raw),
     "SP_CustomAllocatorFns.host_deallocate_raw"},
    {offsetof(SP_RfcCustomAllocatorFns, get_allocator_stats),
     "SP_CustomAllocatorFns.get_allocator_stats"},
    {offsetof(SP_RfcCustomAllocatorFns, device_memory_usage),
     "SP_CustomAllocatorFns.device_memory_usage"},
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
  const SP_RfcPlatform *platform = platform_of_rfc(abi);
  const SP_RfcPlatformFns *fns = fns_of_rfc(abi);
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
  memcpy(&executor->host_callback, abi->executor_block.bytes + SP_RFC_HOST_CALLBACK_OFFSET,
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

static void create_rfc_allocator(device_abi *abi, TF_Status *status) {
  SE_RfcCreateAllocatorParams params = {
      .struct_size = SE_RFC_CREATE_ALLOCATOR_PARAMS_STRUCT_SIZE,
      .allocator = (SP_RfcAllocator *)(void *)&abi->allocator_block,
      .allocator_fns = (SP_RfcAllocatorFns *)(void *)&abi->allocator_fns_block};
  abi->allocator_block.struct_size = SP_RFC_ALLOCATOR_STRUCT_SIZE;
  abi->allocator_fns_block.struct_size = SP_RFC_ALLOCATOR_FNS_STRUCT_SIZE;
  fns_of_rfc(abi)->create_allocator(&abi->platform.platform, &params, status);
}

static void create_custom_allocator(device_abi *abi, TF_Status *status) {
  SE_RfcCreateCustomAllocatorParams params = {
      .struct_size = SE_RFC_CREATE_CUSTOM_ALLOCATOR_PARAMS_STRUCT_SIZE,
      .custom_allocator = (SP_RfcCustomAllocator *)(void *)&abi->allocator_block,
      .custom_allocator_fns = (SP_RfcCustomAllocatorFns *)(void *)&abi->allocator_fns_block};
  abi->allocator_block.struct_size = SP_RFC_CUSTOM_ALLOCATOR_STRUCT_SIZE;
  abi->allocator_fns_block.struct_size = SP_RFC_CUSTOM_ALLOCATOR_FNS_STRUCT_SIZE;
  fns_of_rfc(abi)->create_custom_allocator(&abi->platform.platform, &params, status);
}

static void check_unified(device_abi *abi, TF_Status *status) {
  abi->unified = allocator_of_rfc(abi)->supports_unified_memory;
  if (abi->unified) check_slots(&abi->allocator_fns_block, rfc_unified_rules, status);
}

static void make_allocator(device_abi *abi, TF_Status *status) {
  bool custom = abi->allocator == ABI_ALLOCATOR_CUSTOM;
  if (!status_ok(status) || abi->allocator == ABI_ALLOCATOR_EXECUTOR) return;
  if (custom)
    create_custom_allocator(abi, status);
  else
    create_rfc_allocator(abi, status);
  if (!status_ok(status)) return;
  abi->made |= MADE_ALLOCATOR;
  check_size(abi->allocator_block.struct_size, "SP_Allocator", status);
  check_size(abi->allocator_fns_block.struct_size, "SP_AllocatorFns", status);
  check_slots(&abi->allocator_fns_block, custom ? rfc_custom_rules : rfc_allocator_rules, status);
  if (!custom) check_unified(abi, status);
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
  const SP_RfcPlatformFns *fns = fns_of_rfc(abi);
  const SP_Platform *platform = &abi->platform.platform;
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM && fns->destroy_custom_allocator)
    fns->destroy_custom_allocator(platform, (SP_RfcCustomAllocator *)(void *)&abi->allocator_block,
                                  (SP_RfcCustomAllocatorFns *)(void *)&abi->allocator_fns_block);
  else if (abi->allocator == ABI_ALLOCATOR_RFC && fns->destroy_allocator)
    fns->destroy_allocator(platform, (SP_RfcAllocator *)(void *)&abi->allocator_block,
                           (SP_RfcAllocatorFns *)(void *)&abi->allocator_fns_block);
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
    memory->opaque = custom_fns_of_rfc(abi)->allocate_raw(device, custom_of_rfc(abi), size, 256);
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
    custom_fns_of_rfc(abi)->deallocate_raw(device, custom_of_rfc(abi), memory->opaque);
  else
    abi->executor.deallocate(device, memory);
}

void *device_abi_host_allocate(const device_abi *abi, const SP_Device *device, uint64_t size) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return allocator_fns_of_rfc(abi)->host_memory_allocate(device, allocator_of_rfc(abi), size);
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    return custom_fns_of_rfc(abi)->host_allocate_raw(device, custom_of_rfc(abi), size);
  return abi->executor.host_memory_allocate(device, size);
}

void device_abi_host_deallocate(const device_abi *abi, const SP_Device *device, void *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    allocator_fns_of_rfc(abi)->host_memory_deallocate(device, allocator_of_rfc(abi), memory);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    custom_fns_of_rfc(abi)->host_deallocate_raw(device, custom_of_rfc(abi), memory);
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
    known = custom_fns_of_rfc(abi)->get_allocator_stats(device, custom_of_rfc(abi), stats);
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
    return custom_fns_of_rfc(abi)->device_memory_usage(device, custom_of_rfc(abi), free, total);
  return abi->executor.device_memory_usage(device, free, total);
}
