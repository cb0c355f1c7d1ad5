#include "copy.h"

#include <string.h>

#include "fault.h"
#include "pace.h"
#include "stream.h"

/* One end of a copy: host memory, or device memory, which is pinned when it is found. */
typedef struct end {
  const reference_device *device; /* NULL: any */
  const void *opaque;             /* NULL: host memory */
  reference_block *block;
  char *bytes;
} end;

static end host_end(const void *bytes) {
  return (end){.bytes = (char *)bytes};
}

static end device_end(const SP_Device *device, const SP_DeviceMemoryBase *memory) {
  return (end){.device = device ? reference_device_of(device) : NULL,
               .opaque = memory->opaque ? memory->opaque : ""};
}

static reference_error find_end(end *it, uint64_t size) {
  if (!it->opaque) return REFERENCE_OK;
  it->block = reference_memory_pin(it->device, it->opaque, size);
  if (!it->block) return REFERENCE_NOT_MEMORY;
  it->bytes = reference_memory_at(it->block, it->opaque);
  return REFERENCE_OK;
}

static void move(char *to, const char *from, uint64_t size) {
  uint64_t begun = reference_pace_begin();
  memmove(to, from, size);
  reference_pace_end(begun, size);
}

static bool is_freed(const reference_block *block) {
  return block && reference_memory_is_freed(block);
}

static void run_copy(SP_Stream stream, reference_operation *operation) {
  reference_block *to = operation->of.copy.to_block, *from = operation->of.copy.from_block;
  if (operation->of.copy.fails) {
    reference_stream_fail_with(stream, REFERENCE_ORDERED);
  } else if (is_freed(to) || is_freed(from)) {
    reference_stream_fail_with(stream, REFERENCE_FREED);
  } else if (!reference_stream_is_failed(stream)) {
    move(operation->of.copy.to, operation->of.copy.from, operation->of.copy.size);
  }
  reference_memory_unpin(to);
  reference_memory_unpin(from);
}

static reference_error enqueue_copy(SP_Stream stream, const end *to, const end *from,
                                    uint64_t size) {
  const reference_operation operation = {
      .run = run_copy,
      .of.copy = {.to_block = to->block,
                  .from_block = from->block,
                  .to = to->bytes,
                  .from = from->bytes,
                  .size = size,
                  .fails = reference_fault_due(REFERENCE_FAULT_COPY)}};
  return reference_stream_enqueue(stream, &operation);
}

/* Once it is enqueued, the worker unpins what is pinned here. */
static void copy_later(const SP_Device *device, SP_Stream stream, end to, end from, uint64_t size,
                       TF_Status *status) {
  reference_error error = reference_stream_check(device, stream);
  if (!error && size > 0) {
    error = find_end(&to, size);
    if (!error) error = find_end(&from, size);
    if (!error) error = enqueue_copy(stream, &to, &from, size);
    if (error) {
      reference_memory_unpin(to.block);
      reference_memory_unpin(from.block);
    }
  }
  reference_error_report(error, status);
}

static void copy_now(end to, end from, uint64_t size, TF_Status *status) {
  if (size == 0) return;
  reference_error error = find_end(&to, size);
  if (!error) error = find_end(&from, size);
  if (!error && reference_fault_due(REFERENCE_FAULT_COPY)) error = REFERENCE_ORDERED;
  if (!error) move(to.bytes, from.bytes, size);
  reference_memory_unpin(to.block);
  reference_memory_unpin(from.block);
  reference_error_report(error, status);
}

void reference_copy_dtoh(const SP_Device *device, SP_Stream stream, void *host_dst,
                         const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status) {
  copy_later(device, stream, host_end(host_dst), device_end(device, device_src), size, status);
}

void reference_copy_htod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                         const void *host_src, uint64_t size, TF_Status *status) {
  copy_later(device, stream, device_end(device, device_dst), host_end(host_src), size, status);
}

void reference_copy_dtod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                         const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status) {
  copy_later(device, stream, device_end(NULL, device_dst), device_end(NULL, device_src), size,
             status);
}

void reference_copy_sync_dtoh(const SP_Device *device, void *host_dst,
                              const SP_DeviceMemoryBase *device_src, uint64_t size,
                              TF_Status *status) {
  copy_now(host_end(host_dst), device_end(device, device_src), size, status);
}

void reference_copy_sync_htod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                              const void *host_src, uint64_t size, TF_Status *status) {
  copy_now(device_end(device, device_dst), host_end(host_src), size, status);
}

void reference_copy_sync_dtod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                              const SP_DeviceMemoryBase *device_src, uint64_t size,
                              TF_Status *status) {
  (void)device;
  copy_now(device_end(NULL, device_dst), device_end(NULL, device_src), size, status);
}
