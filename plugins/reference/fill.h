/* Fills: a stream's worker sets device memory to one byte or one 32-bit number. */
#ifndef REFERENCE_FILL_H
#define REFERENCE_FILL_H

#include <modfs/stream_executor.h>

void reference_fill_zero(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                         uint64_t size, TF_Status *status);
void reference_fill_bytes(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint8_t pattern, uint64_t size, TF_Status *status);
void reference_fill_words(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint32_t pattern, uint64_t size, TF_Status *status);

#endif
