/* A piece of device memory, as streams see it. */
#ifndef MODFS_CORE_MEMORY_H
#define MODFS_CORE_MEMORY_H

#include "device.h"

modfs_memory *memory_hold(modfs_memory *memory);

/* The struct that stands for the memory from offset on, as a plugin wants to see it. */
SP_DeviceMemoryBase memory_base(const modfs_memory *memory, uint64_t offset);

/* INVALID_ARGUMENT unless n bytes from offset lie within. */
bool memory_check_range(const modfs_memory *memory, uint64_t offset, uint64_t n, TF_Status *status);

/* Bytes of the device's large pieces that nothing uses. */
int64_t memory_in_reserve(modfs_device *device);

/* Gives the device's large pieces back. */
void memory_free_allocator(device_core *core);

#endif
