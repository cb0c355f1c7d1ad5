/* One file for all that differs between the generations:
 *
 *                        RFC 257   merged RFC   shipped A   B    C
 *   SP_Platform          40        41           33          34   35    bytes
 *   SP_PlatformFns       64        64           88          88   88
 *   SP_StreamExecutor    264       264          264         264  288
 *
 * The versions in the params are 0.0.1 in all of them, and 40 is also what a careless shipped plugin
 * stores (sizeof SP_Platform): where sizes prove nothing, the slots of the platform's functions
 * decide. Structs passed to a plugin are oversized and zeroed, with a struct_size that no generation
 * has, so that one which the plugin did not fill in is recognized. */
#include "device_abi.h"

#include <limits.h>
#include <string.h>

#include "device_rules.h"
#include "core/base/status.h"

enum { PLATFORM_ROOM = 48, FNS_ROOM = 104, EXECUTOR_ROOM = 320 };

enum made {
  MADE_PLATFORM = 1,
  MADE_DEVICE_FNS = 2,
  MADE_EXECUTOR = 4,
  MADE_TIMER_FNS = 8,
  MADE_ALLOCATOR = 16
};

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

/* Converting to one form ------------------------------------------------------------- */

/* The RFC has the number in the platform. */
static void get_rfc_device_count(const SP_Platform *platform, int *count, TF_Status *status) {
  const device_abi *abi =
      (const device_abi *)(const void *)((const char *)platform - offsetof(device_abi, platform));
  (void)status;
  *count = abi->device_count < INT_MAX ? (int)abi->device_count : INT_MAX;
}

static void settle_rfc_platform(device_abi *abi) {
  const SP_RfcPlatform *platform = &abi->platform.rfc_platform;
  const SP_RfcPlatformFns *fns = &abi->platform_fns.rfc_platform_fns;
  abi->fns = (SP_PlatformFns){.struct_size = SP_PLATFORM_FNS_STRUCT_SIZE,
                              .get_device_count = get_rfc_device_count,
                              .create_device = fns->create_device,
                              .destroy_device = fns->destroy_device,
                              .create_stream_executor = fns->create_stream_executor,
                              .destroy_stream_executor = fns->destroy_stream_executor,
                              .create_timer_fns = fns->create_timer_fns,
                              .destroy_timer_fns = fns->destroy_timer_fns};
  abi->device_count = platform->visible_device_count;
  abi->unified = platform->struct_size >= 41 && platform->supports_unified_memory;
  if (fns->create_custom_allocator)
    abi->allocator = ABI_ALLOCATOR_CUSTOM;
  else if (fns->create_allocator)
    abi->allocator = ABI_ALLOCATOR_RFC;
  abi->bfc = abi->allocator == ABI_ALLOCATOR_RFC;
}

/* Members beyond a plugin's struct_size are 0: the structs were zeroed before they were passed. */
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
  /* The RFC as proposed states only for its own allocator whether there is unified memory. */
  if (abi->rfc && abi->platform.struct_size != 41 && abi->allocator != ABI_ALLOCATOR_RFC &&
      executor->unified_memory_allocate && executor->unified_memory_deallocate)
    abi->unified = true;
  if (!has_old_tail(&abi->executor_block)) return;
  memcpy(&executor->host_callback, abi->executor_block.bytes + SP_RFC_HOST_CALLBACK_OFFSET,
         sizeof executor->host_callback);
  executor->mem_zero = NULL;
  executor->memset = NULL;
  executor->memset32 = NULL;
}

/* Creating and destroying the parts -------------------------------------------------- */

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
  if (status_ok(status)) device_check_params(&params, status);
  if (!status_ok(status)) return;
  abi->major = params.major_version;
  abi->minor = params.minor_version;
  abi->destroy_platform = params.destroy_platform;
  abi->destroy_platform_fns = params.destroy_platform_fns;
  abi->made |= MADE_PLATFORM;
  abi->rfc = is_rfc(abi);
  device_check_platform(abi, status);
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
  abi->device_fns = abi->device_fns_block.device_fns;
  device_check_device_fns(abi, status);
}

static void create_rfc_allocator(device_abi *abi, TF_Status *status) {
  SE_RfcCreateAllocatorParams params = {.struct_size = SE_RFC_CREATE_ALLOCATOR_PARAMS_STRUCT_SIZE,
                                        .allocator = &abi->allocator_block.rfc_allocator,
                                        .allocator_fns =
                                            &abi->allocator_fns_block.rfc_allocator_fns};
  abi->allocator_block.struct_size = SP_RFC_ALLOCATOR_STRUCT_SIZE;
  abi->allocator_fns_block.struct_size = SP_RFC_ALLOCATOR_FNS_STRUCT_SIZE;
  abi->platform_fns.rfc_platform_fns.create_allocator(&abi->platform.platform, &params, status);
}

static void create_custom_allocator(device_abi *abi, TF_Status *status) {
  SE_RfcCreateCustomAllocatorParams params = {
      .struct_size = SE_RFC_CREATE_CUSTOM_ALLOCATOR_PARAMS_STRUCT_SIZE,
      .custom_allocator = &abi->allocator_block.rfc_custom,
      .custom_allocator_fns = &abi->allocator_fns_block.rfc_custom_fns};
  abi->allocator_block.struct_size = SP_RFC_CUSTOM_ALLOCATOR_STRUCT_SIZE;
  abi->allocator_fns_block.struct_size = SP_RFC_CUSTOM_ALLOCATOR_FNS_STRUCT_SIZE;
  abi->platform_fns.rfc_platform_fns.create_custom_allocator(&abi->platform.platform, &params,
                                                             status);
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
  if (custom)
    abi->custom_allocator_fns = abi->allocator_fns_block.rfc_custom_fns;
  else
    abi->rfc_allocator_fns = abi->allocator_fns_block.rfc_allocator_fns;
  if (!custom) abi->unified = abi->allocator_block.rfc_allocator.supports_unified_memory;
  device_check_allocator(abi, status);
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
  device_check_executor(abi, status);
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
  device_check_timer_fns(abi, status);
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

size_t device_abi_declared(const device_abi *abi, modfs_device_table table) {
  size_t size = 0, untouched = 0;
  switch (table) {
  case MODFS_TABLE_PLATFORM:
    size = abi->platform.struct_size, untouched = PLATFORM_ROOM;
    break;
  case MODFS_TABLE_PLATFORM_FNS:
    size = abi->platform_fns.struct_size, untouched = FNS_ROOM;
    break;
  case MODFS_TABLE_DEVICE_FNS:
    size = abi->device_fns_block.struct_size;
    break;
  case MODFS_TABLE_STREAM_EXECUTOR:
    size = abi->executor_block.struct_size, untouched = EXECUTOR_ROOM;
    break;
  case MODFS_TABLE_TIMER_FNS:
    size = abi->timer_fns_block.struct_size;
    break;
  case MODFS_DEVICE_TABLES:
    break;
  }
  return size == untouched ? 0 : size < INT32_MAX ? size : INT32_MAX;
}

static void destroy_allocator(device_abi *abi) {
  const SP_RfcPlatformFns *fns = &abi->platform_fns.rfc_platform_fns;
  const SP_Platform *platform = &abi->platform.platform;
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM && fns->destroy_custom_allocator)
    fns->destroy_custom_allocator(platform, &abi->allocator_block.rfc_custom,
                                  &abi->allocator_fns_block.rfc_custom_fns);
  else if (abi->allocator == ABI_ALLOCATOR_RFC && fns->destroy_allocator)
    fns->destroy_allocator(platform, &abi->allocator_block.rfc_allocator,
                           &abi->allocator_fns_block.rfc_allocator_fns);
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
