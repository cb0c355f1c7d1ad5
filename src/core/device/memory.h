/* Device memory, for the files about streams and devices. */
#ifndef MODFS_CORE_MEMORY_H
#define MODFS_CORE_MEMORY_H

#include "device.h"

modfs_memory *memory_hold(modfs_memory *memory);

/* The ABI's struct for the memory from offset on. */
SP_DeviceMemoryBase memory_base(const modfs_memory *memory, uint64_t offset);

/* INVALID_ARGUMENT unless n bytes from offset lie within. */
bool memory_check_range(const modfs_memory *memory, uint64_t offset, uint64_t n, TF_Status *status);

/* The free bytes in the device's large pieces. */
int64_t memory_in_reserve(modfs_device *device);

/* Returns the device's large pieces to the plugin. */
void memory_free_allocator(device_core *core);

#endif
