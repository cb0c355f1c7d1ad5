/* Copies: those of a stream, done by its worker, and those done at once by the caller.
 *
 * Device memory is that of the device, or unified memory; within and between devices any
 * two pieces of memory of the platform will do. Bytes may overlap. */
#ifndef REFERENCE_COPY_H
#define REFERENCE_COPY_H

#include <modfs/stream_executor.h>

void reference_copy_dtoh(const SP_Device *device, SP_Stream stream, void *host_dst,
                         const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);
void reference_copy_htod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                         const void *host_src, uint64_t size, TF_Status *status);
void reference_copy_dtod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                         const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

void reference_copy_sync_dtoh(const SP_Device *device, void *host_dst,
                              const SP_DeviceMemoryBase *device_src, uint64_t size,
                              TF_Status *status);
void reference_copy_sync_htod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                              const void *host_src, uint64_t size, TF_Status *status);
void reference_copy_sync_dtod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                              const SP_DeviceMemoryBase *device_src, uint64_t size,
                              TF_Status *status);

#endif
