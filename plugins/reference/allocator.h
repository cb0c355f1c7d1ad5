/* The slots that allocate and free memory and report its usage. */
#ifndef REFERENCE_ALLOCATOR_H
#define REFERENCE_ALLOCATOR_H

#include <modfs/stream_executor.h>

void reference_allocate(const SP_Device *device, uint64_t size, int64_t memory_space,
                        SP_DeviceMemoryBase *memory);
void reference_deallocate(const SP_Device *device, SP_DeviceMemoryBase *memory);

void *reference_host_memory_allocate(const SP_Device *device, uint64_t size);
void reference_host_memory_deallocate(const SP_Device *device, void *memory);

void *reference_unified_memory_allocate(const SP_Device *device, uint64_t size);
void reference_unified_memory_deallocate(const SP_Device *device, void *memory);

TF_Bool reference_allocator_stats(const SP_Device *device, SP_AllocatorStats *stats);
TF_Bool reference_memory_usage(const SP_Device *device, int64_t *free_bytes, int64_t *total);

#endif
