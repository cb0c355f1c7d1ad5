/* Copies: in a stream, by its worker, or synchronous, by the caller.
 *
 * Device memory is memory of the device, or unified memory. Copies within and between
 * devices accept any two ranges of the platform's memory. They may overlap. */
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
