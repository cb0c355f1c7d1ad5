#include "device_rules.h"

#include <string.h>

#include "core/base/dylib.h"
#include "core/base/probe.h"
#include "core/base/status.h"

typedef struct slot_rule {
  size_t offset;
  const char *name;
} slot_rule;

#define SLOT_OF(type, member)                                                                      \
  { offsetof(type, member), #type "." #member }

/* In the names of the RFC there is no "Rfc". */
#define RFC_SLOT_OF(type, member)                                                                  \
  { offsetof(SP_Rfc##type, member), "SP_" #type "." #member }

static const slot_rule params_rules[] = {
    SLOT_OF(SE_PlatformRegistrationParams, destroy_platform),
    SLOT_OF(SE_PlatformRegistrationParams, destroy_platform_fns),
    {0, NULL},
};

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

static const slot_rule shipped_fns_choices[] = {
    SLOT_OF(SP_PlatformFns, create_timer_fns),
    SLOT_OF(SP_PlatformFns, destroy_timer_fns),
    {0, NULL},
};

static const slot_rule rfc_fns_rules[] = {
    RFC_SLOT_OF(PlatformFns, create_device),
    RFC_SLOT_OF(PlatformFns, destroy_device),
    RFC_SLOT_OF(PlatformFns, create_stream_executor),
    RFC_SLOT_OF(PlatformFns, destroy_stream_executor),
    {0, NULL},
};

static const slot_rule rfc_fns_choices[] = {
    RFC_SLOT_OF(PlatformFns, create_timer_fns),
    RFC_SLOT_OF(PlatformFns, destroy_timer_fns),
    RFC_SLOT_OF(PlatformFns, create_allocator),
    RFC_SLOT_OF(PlatformFns, destroy_allocator),
    RFC_SLOT_OF(PlatformFns, create_custom_allocator),
    RFC_SLOT_OF(PlatformFns, destroy_custom_allocator),
    {0, NULL},
};

static const slot_rule device_fns_choices[] = {
    SLOT_OF(SP_DeviceFns, get_numa_node),
    SLOT_OF(SP_DeviceFns, get_memory_bandwidth),
    SLOT_OF(SP_DeviceFns, get_gflops),
    {0, NULL},
};

static const slot_rule timer_fns_rules[] = {
    SLOT_OF(SP_TimerFns, nanoseconds),
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

static const slot_rule executor_choices[] = {
    SLOT_OF(SP_StreamExecutor, create_timer),
    SLOT_OF(SP_StreamExecutor, destroy_timer),
    SLOT_OF(SP_StreamExecutor, start_timer),
    SLOT_OF(SP_StreamExecutor, stop_timer),
    SLOT_OF(SP_StreamExecutor, memcpy_dtod),
    SLOT_OF(SP_StreamExecutor, sync_memcpy_dtod),
    SLOT_OF(SP_StreamExecutor, block_host_until_done),
    SLOT_OF(SP_StreamExecutor, mem_zero),
    SLOT_OF(SP_StreamExecutor, memset),
    SLOT_OF(SP_StreamExecutor, memset32),
    {0, NULL},
};

static const slot_rule rfc_allocator_rules[] = {
    RFC_SLOT_OF(AllocatorFns, allocate),
    RFC_SLOT_OF(AllocatorFns, deallocate),
    RFC_SLOT_OF(AllocatorFns, get_allocator_stats),
    RFC_SLOT_OF(AllocatorFns, host_memory_allocate),
    RFC_SLOT_OF(AllocatorFns, host_memory_deallocate),
    RFC_SLOT_OF(AllocatorFns, device_memory_usage),
    {0, NULL},
};

static const slot_rule rfc_unified_rules[] = {
    RFC_SLOT_OF(AllocatorFns, unified_memory_allocate),
    RFC_SLOT_OF(AllocatorFns, unified_memory_deallocate),
    {0, NULL},
};

static const slot_rule rfc_custom_rules[] = {
    RFC_SLOT_OF(CustomAllocatorFns, allocate_raw),
    RFC_SLOT_OF(CustomAllocatorFns, deallocate_raw),
    RFC_SLOT_OF(CustomAllocatorFns, host_allocate_raw),
    RFC_SLOT_OF(CustomAllocatorFns, host_deallocate_raw),
    RFC_SLOT_OF(CustomAllocatorFns, get_allocator_stats),
    RFC_SLOT_OF(CustomAllocatorFns, device_memory_usage),
    {0, NULL},
};

static const void *address_in(const void *table, const slot_rule *rule) {
  const void *address;
  memcpy(&address, (const char *)table + rule->offset, sizeof address);
  return address;
}

/* Optional slots: NULL or code, nothing else. */
static void check_choices(const void *table, const slot_rule *rules, TF_Status *status) {
  for (const slot_rule *rule = rules; rule->name && status_ok(status); rule++) {
    const void *address = address_in(table, rule);
    if (address && !dylib_owns(address))
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s does not point to code", rule->name);
  }
}

static void check_slots(const void *table, const slot_rule *rules, TF_Status *status) {
  for (const slot_rule *rule = rules; rule->name && status_ok(status); rule++)
    if (!address_in(table, rule))
      modfs_set_status(status, TF_FAILED_PRECONDITION, "%s is missing", rule->name);
  check_choices(table, rules, status);
}

void device_check_size(size_t struct_size, const char *name, TF_Status *status) {
  if (status_ok(status) && struct_size == 0)
    modfs_set_status(status, TF_FAILED_PRECONDITION, "%s.struct_size is 0", name);
}

static bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

/* Copies a name or type. Both are short: a text that does not fit is rejected. */
static void take_word(char *word, const char *source, const char *field, TF_Status *status) {
  size_t length = 0;
  if (!status_ok(status)) return;
  if (!source) {
    modfs_set_status(status, TF_FAILED_PRECONDITION, "SP_Platform.%s is missing", field);
  } else if (!probe_string(word, ABI_WORD_ROOM, source)) {
    modfs_set_status(status, TF_FAILED_PRECONDITION,
                     "SP_Platform.%s cannot be read, or has more than %d bytes", field,
                     ABI_WORD_ROOM - 1);
  } else {
    while (is_capital(word[length]) || (length > 0 && word[length] == '_'))
      length++;
    if (length == 0 || word[length] != '\0')
      modfs_set_status(status, TF_FAILED_PRECONDITION,
                       "SP_Platform.%s \"%.40s\" does not match [A-Z][A-Z_]*", field, word);
  }
}

void device_check_params(const SE_PlatformRegistrationParams *params, TF_Status *status) {
  device_check_size(params->struct_size, "SE_PlatformRegistrationParams", status);
  check_slots(params, params_rules, status);
}

void device_check_platform(device_abi *abi, TF_Status *status) {
  const SP_Platform *platform = &abi->platform.platform;
  device_check_size(platform->struct_size, "SP_Platform", status);
  take_word(abi->name, platform->name, "name", status);
  take_word(abi->type, platform->type, "type", status);
  device_check_size(abi->platform_fns.struct_size, "SP_PlatformFns", status);
  check_slots(&abi->platform_fns, abi->rfc ? rfc_fns_rules : shipped_fns_rules, status);
  check_choices(&abi->platform_fns, abi->rfc ? rfc_fns_choices : shipped_fns_choices, status);
}

void device_check_device_fns(const device_abi *abi, TF_Status *status) {
  device_check_size(abi->device_fns.struct_size, "SP_DeviceFns", status);
  check_choices(&abi->device_fns, device_fns_choices, status);
}

void device_check_allocator(const device_abi *abi, TF_Status *status) {
  const uint64_t size = abi->allocator_block.struct_size;
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM) {
    const SP_RfcCustomAllocatorFns *fns = &abi->allocator_fns_block.rfc_custom_fns;
    device_check_size(size, "SP_CustomAllocator", status);
    device_check_size(fns->struct_size, "SP_CustomAllocatorFns", status);
    check_slots(fns, rfc_custom_rules, status);
  } else {
    const SP_RfcAllocatorFns *fns = &abi->allocator_fns_block.rfc_allocator_fns;
    device_check_size(size, "SP_Allocator", status);
    device_check_size(fns->struct_size, "SP_AllocatorFns", status);
    check_slots(fns, rfc_allocator_rules, status);
    if (abi->unified) check_slots(fns, rfc_unified_rules, status);
    check_choices(fns, rfc_unified_rules, status);
  }
}

void device_check_executor(const device_abi *abi, TF_Status *status) {
  const SP_StreamExecutor *executor = &abi->executor;
  bool from_executor = abi->allocator == ABI_ALLOCATOR_EXECUTOR;
  device_check_size(executor->struct_size, "SP_StreamExecutor", status);
  if (from_executor) check_slots(executor, memory_rules, status);
  if (abi->unified && abi->allocator != ABI_ALLOCATOR_RFC)
    check_slots(executor, unified_rules, status);
  if (from_executor) check_slots(executor, usage_rules, status);
  check_slots(executor, executor_rules, status);
  check_choices(executor, unified_rules, status);
  check_choices(executor, executor_choices, status);
}

void device_check_timer_fns(const device_abi *abi, TF_Status *status) {
  const SP_TimerFns *timer_fns = &abi->timer_fns_block.timer_fns;
  device_check_size(timer_fns->struct_size, "SP_TimerFns", status);
  check_slots(timer_fns, timer_fns_rules, status);
}
