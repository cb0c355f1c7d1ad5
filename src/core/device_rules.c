#include "device_rules.h"

#include <string.h>

#include "dylib.h"
#include "status.h"

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

void device_check_size(size_t struct_size, const char *name, TF_Status *status) {
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

void device_check_params(const SE_PlatformRegistrationParams *params, TF_Status *status) {
  device_check_size(params->struct_size, "SE_PlatformRegistrationParams", status);
  if (status_ok(status) && !params->destroy_platform)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "SE_PlatformRegistrationParams.destroy_platform is missing");
  else if (status_ok(status) && !params->destroy_platform_fns)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "SE_PlatformRegistrationParams.destroy_platform_fns is missing");
}

void device_check_platform(const device_abi *abi, TF_Status *status) {
  device_check_size(abi->platform.struct_size, "SP_Platform", status);
  check_word(abi->platform.platform.name, "name", status);
  check_word(abi->platform.platform.type, "type", status);
  device_check_size(abi->platform_fns.struct_size, "SP_PlatformFns", status);
  check_slots(&abi->platform_fns, abi->rfc ? rfc_fns_rules : shipped_fns_rules, status);
}

static void check_rfc_allocator(const device_abi *abi, TF_Status *status) {
  const SP_RfcAllocatorFns *fns = &abi->allocator_fns_block.rfc_allocator_fns;
  device_check_size(abi->allocator_block.struct_size, "SP_Allocator", status);
  device_check_size(fns->struct_size, "SP_AllocatorFns", status);
  check_slots(fns, rfc_allocator_rules, status);
  if (abi->unified) check_slots(fns, rfc_unified_rules, status);
}

static void check_custom_allocator(const device_abi *abi, TF_Status *status) {
  const SP_RfcCustomAllocatorFns *fns = &abi->allocator_fns_block.rfc_custom_fns;
  device_check_size(abi->allocator_block.struct_size, "SP_CustomAllocator", status);
  device_check_size(fns->struct_size, "SP_CustomAllocatorFns", status);
  check_slots(fns, rfc_custom_rules, status);
}

void device_check_allocator(const device_abi *abi, TF_Status *status) {
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    check_custom_allocator(abi, status);
  else
    check_rfc_allocator(abi, status);
}

void device_check_executor(const device_abi *abi, TF_Status *status) {
  const SP_StreamExecutor *executor = &abi->executor;
  device_check_size(executor->struct_size, "SP_StreamExecutor", status);
  if (abi->allocator == ABI_ALLOCATOR_EXECUTOR) {
    check_slots(executor, memory_rules, status);
    if (abi->unified) check_slots(executor, unified_rules, status);
    check_slots(executor, usage_rules, status);
  }
  check_slots(executor, executor_rules, status);
}
