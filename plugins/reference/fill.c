#include "fill.h"

#include <string.h>

#include "fault.h"
#include "pace.h"
#include "stream.h"

static void set(char *to, uint32_t pattern, uint64_t size) {
  uint64_t begun = reference_pace_begin();
  if (pattern == (pattern & 0xff) * 0x01010101u) {
    memset(to, (int)(pattern & 0xff), size);
  } else { /* a slice of memory may begin at any byte, so words may be unaligned */
    for (uint64_t i = 0; i < size; i += sizeof pattern)
      memcpy(to + i, &pattern, sizeof pattern);
  }
  reference_pace_end(begun, size);
}

static void run_fill(SP_Stream stream, reference_operation *operation) {
  reference_block *block = operation->of.fill.block;
  if (operation->of.fill.fails) {
    reference_stream_fail_with(stream, REFERENCE_ORDERED);
  } else if (reference_memory_is_freed(block)) {
    reference_stream_fail_with(stream, REFERENCE_FREED);
  } else if (!reference_stream_is_failed(stream)) {
    set(operation->of.fill.to, operation->of.fill.pattern, operation->of.fill.size);
  }
  reference_memory_unpin(block);
}

static reference_error enqueue_fill(SP_Stream stream, reference_block *block, char *to,
                                    uint32_t pattern, uint64_t size) {
  const reference_operation operation = {
      .run = run_fill,
      .of.fill = {.block = block,
                  .to = to,
                  .size = size,
                  .pattern = pattern,
                  .fails = reference_fault_due(REFERENCE_FAULT_FILL)}};
  reference_error error = reference_stream_enqueue(stream, &operation);
  if (error) reference_memory_unpin(block);
  return error;
}

static reference_error fill(const SP_Device *device, SP_Stream stream,
                            const SP_DeviceMemoryBase *location, uint32_t pattern, uint64_t size) {
  reference_error error = reference_stream_check(device, stream);
  if (error || size == 0) return error;
  reference_block *block =
      reference_memory_pin(reference_device_of(device), location->opaque, size);
  if (!block) return REFERENCE_NOT_MEMORY;
  return enqueue_fill(stream, block, reference_memory_at(block, location->opaque), pattern, size);
}

void reference_fill_zero(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                         uint64_t size, TF_Status *status) {
  reference_error_report(fill(device, stream, location, 0, size), status);
}

void reference_fill_bytes(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint8_t pattern, uint64_t size, TF_Status *status) {
  reference_error_report(fill(device, stream, location, pattern * 0x01010101u, size), status);
}

void reference_fill_words(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint32_t pattern, uint64_t size, TF_Status *status) {
  reference_error error = size % sizeof pattern ? REFERENCE_ODD_SIZE : REFERENCE_OK;
  if (!error) error = fill(device, stream, location, pattern, size);
  reference_error_report(error, status);
}
