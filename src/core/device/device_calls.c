/* The calls whose form differs between generations. */
#include <string.h>

#include "device_abi.h"
#include "core/base/status.h"

int device_abi_count(const device_abi *abi, TF_Status *status) {
  int count = 0;
  abi->fns.get_device_count(&abi->platform.platform, &count, status);
  return count;
}

void device_abi_create_device(const device_abi *abi, int ordinal, abi_device *device,
                              TF_Status *status) {
  SE_CreateDeviceParams params = {.struct_size = SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE,
                                  .ordinal = ordinal,
                                  .device = &device->block.device};
  memset(device, 0, sizeof *device);
  device->abi = abi;
  device->block.struct_size = SP_DEVICE_STRUCT_SIZE;
  device->block.device.ordinal = ordinal;
  abi->fns.create_device(&abi->platform.platform, &params, status);
  if (!status_ok(status) || device->block.struct_size > 0) return;
  abi->fns.destroy_device(&abi->platform.platform, &device->block.device);
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "SP_Device.struct_size is 0");
}

void device_abi_allocate(const device_abi *abi, const SP_Device *device, uint64_t size,
                         SP_DeviceMemoryBase *memory) {
  *memory = (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE};
  if (abi->allocator == ABI_ALLOCATOR_RFC) {
    abi->rfc_allocator_fns.allocate(device, &abi->allocator_block.rfc_allocator, size, 0, memory);
  } else if (abi->allocator == ABI_ALLOCATOR_CUSTOM) {
    memory->opaque =
        abi->custom_allocator_fns.allocate_raw(device, &abi->allocator_block.rfc_custom, size, 256);
    memory->size = size;
  } else {
    abi->executor.allocate(device, size, 0, memory);
  }
}

void device_abi_deallocate(const device_abi *abi, const SP_Device *device,
                           SP_DeviceMemoryBase *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    abi->rfc_allocator_fns.deallocate(device, &abi->allocator_block.rfc_allocator, memory);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    abi->custom_allocator_fns.deallocate_raw(device, &abi->allocator_block.rfc_custom,
                                             memory->opaque);
  else
    abi->executor.deallocate(device, memory);
}

void *device_abi_host_allocate(const device_abi *abi, const SP_Device *device, uint64_t size) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return abi->rfc_allocator_fns.host_memory_allocate(device, &abi->allocator_block.rfc_allocator,
                                                       size);
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    return abi->custom_allocator_fns.host_allocate_raw(device, &abi->allocator_block.rfc_custom,
                                                       size);
  return abi->executor.host_memory_allocate(device, size);
}

void device_abi_host_deallocate(const device_abi *abi, const SP_Device *device, void *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    abi->rfc_allocator_fns.host_memory_deallocate(device, &abi->allocator_block.rfc_allocator,
                                                  memory);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    abi->custom_allocator_fns.host_deallocate_raw(device, &abi->allocator_block.rfc_custom, memory);
  else
    abi->executor.host_memory_deallocate(device, memory);
}

void *device_abi_unified_allocate(const device_abi *abi, const SP_Device *device, uint64_t size) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return abi->rfc_allocator_fns.unified_memory_allocate(
        device, &abi->allocator_block.rfc_allocator, size);
  return abi->executor.unified_memory_allocate(device, size);
}

void device_abi_unified_deallocate(const device_abi *abi, const SP_Device *device, void *memory) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    abi->rfc_allocator_fns.unified_memory_deallocate(device, &abi->allocator_block.rfc_allocator,
                                                     memory);
  else
    abi->executor.unified_memory_deallocate(device, memory);
}

bool device_abi_stats(const device_abi *abi, const SP_Device *device, SP_AllocatorStats *stats) {
  TF_Bool known;
  *stats = (SP_AllocatorStats){.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE};
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    known = abi->rfc_allocator_fns.get_allocator_stats(device, &abi->allocator_block.rfc_allocator,
                                                       stats);
  else if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    known = abi->custom_allocator_fns.get_allocator_stats(device, &abi->allocator_block.rfc_custom,
                                                          stats);
  else
    known = abi->executor.get_allocator_stats(device, stats);
  return known && stats->struct_size > 0;
}

bool device_abi_usage(const device_abi *abi, const SP_Device *device, int64_t *free,
                      int64_t *total) {
  if (abi->allocator == ABI_ALLOCATOR_RFC)
    return abi->rfc_allocator_fns.device_memory_usage(device, &abi->allocator_block.rfc_allocator,
                                                      free, total);
  if (abi->allocator == ABI_ALLOCATOR_CUSTOM)
    return abi->custom_allocator_fns.device_memory_usage(device, &abi->allocator_block.rfc_custom,
                                                         free, total);
  return abi->executor.device_memory_usage(device, free, total);
}
