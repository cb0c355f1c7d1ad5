/* Two calls at a device that overlap (schedule.c). A call belongs to the thread that performs it until both
 * have ended. What it refers to is the case's, which waits for the device before it frees any of it. */
#include "device_overlap.h"

#include <string.h>

#include "plugin.h"
#include "schedule.h"

enum { PATTERN = 7 };

/* One call: the slots, the device, what it is about, and its status. */
typedef struct performance {
  const device_abi *abi;
  const SP_StreamExecutor *executor;
  const SP_Device *device;
  device_call *call;
  TF_Status *status;
} performance;

#define PERFORM(slot, ...)                                                                         \
  static void do_##slot(const performance *p) {                                                    \
    p->executor->slot(p->device, __VA_ARGS__, p->status);                                          \
  }
#define END(slot, member)                                                                          \
  static void do_##slot(const performance *p) {                                                    \
    p->executor->slot(p->device, p->call->member);                                                 \
  }

PERFORM(create_stream, &p->call->made_stream)
PERFORM(create_event, &p->call->made_event)
PERFORM(create_timer, &p->call->made_timer)
END(destroy_stream, stream)
END(destroy_event, event)
END(destroy_timer, timer)
PERFORM(create_stream_dependency, p->call->stream, p->call->other)
PERFORM(get_stream_status, p->call->stream)
PERFORM(record_event, p->call->stream, p->call->event)
PERFORM(wait_for_event, p->call->stream, p->call->event)
PERFORM(start_timer, p->call->stream, p->call->timer)
PERFORM(stop_timer, p->call->stream, p->call->timer)
PERFORM(block_host_for_event, p->call->event)
PERFORM(block_host_until_done, p->call->stream)
PERFORM(memcpy_htod, p->call->stream, &p->call->memory, p->call->host, p->call->size)
PERFORM(memcpy_dtoh, p->call->stream, p->call->host, &p->call->memory, p->call->size)
PERFORM(memcpy_dtod, p->call->stream, &p->call->memory, &p->call->from, p->call->size)
PERFORM(sync_memcpy_htod, &p->call->memory, p->call->host, p->call->size)
PERFORM(sync_memcpy_dtoh, p->call->host, &p->call->memory, p->call->size)
PERFORM(sync_memcpy_dtod, &p->call->memory, &p->call->from, p->call->size)
PERFORM(mem_zero, p->call->stream, &p->call->memory, p->call->size)
PERFORM(memset, p->call->stream, &p->call->memory, PATTERN, p->call->size)
PERFORM(memset32, p->call->stream, &p->call->memory, PATTERN, p->call->size)

static void do_synchronize_all_activity(const performance *p) {
  p->executor->synchronize_all_activity(p->device, p->status);
}

static void do_get_event_status(const performance *p) {
  p->call->number = p->executor->get_event_status(p->device, p->call->event);
}

static void do_host_callback(const performance *p) {
  if (!p->executor->host_callback(p->device, p->call->stream, runner_call_run, p->call->callback))
    TF_SetStatus(p->status, TF_INTERNAL, "it returned false");
}

static void do_allocate(const performance *p) {
  SP_DeviceMemoryBase *made = &p->call->made_memory;
  device_abi_allocate(p->abi, p->device, p->call->size, made);
  if (!made->opaque) TF_SetStatus(p->status, TF_RESOURCE_EXHAUSTED, "opaque is NULL");
}

static void do_deallocate(const performance *p) {
  device_abi_deallocate(p->abi, p->device, &p->call->memory);
}

static void do_host_memory_allocate(const performance *p) {
  p->call->made_host = device_abi_host_allocate(p->abi, p->device, p->call->size);
  if (!p->call->made_host) TF_SetStatus(p->status, TF_RESOURCE_EXHAUSTED, "it returned NULL");
}

static void do_host_memory_deallocate(const performance *p) {
  device_abi_host_deallocate(p->abi, p->device, p->call->host);
}

static void do_get_allocator_stats(const performance *p) {
  SP_AllocatorStats stats = {0};
  if (device_abi_stats(p->abi, p->device, &stats)) p->call->number = stats.bytes_in_use;
}

static void do_device_memory_usage(const performance *p) {
  int64_t total;
  if (!device_abi_usage(p->abi, p->device, &p->call->number, &total)) p->call->number = 0;
}

/* Slots of memory are in one of three tables; the loader has checked that they are present. */
enum { PRESENT = -1 };

#define ROW(slot)                                                                                  \
  { #slot, offsetof(SP_StreamExecutor, slot), do_##slot }
#define MEMORY(slot)                                                                               \
  { #slot, PRESENT, do_##slot }

static const struct {
  const char *name;
  ptrdiff_t offset;
  void (*run)(const performance *p);
} rows[] = {
    ROW(create_stream),
    ROW(destroy_stream),
    ROW(create_event),
    ROW(destroy_event),
    ROW(create_timer),
    ROW(destroy_timer),
    ROW(create_stream_dependency),
    ROW(get_stream_status),
    ROW(record_event),
    ROW(wait_for_event),
    ROW(get_event_status),
    ROW(start_timer),
    ROW(stop_timer),
    ROW(block_host_for_event),
    ROW(block_host_until_done),
    ROW(synchronize_all_activity),
    ROW(memcpy_htod),
    ROW(memcpy_dtoh),
    ROW(memcpy_dtod),
    ROW(sync_memcpy_htod),
    ROW(sync_memcpy_dtoh),
    ROW(sync_memcpy_dtod),
    ROW(mem_zero),
    ROW(memset),
    ROW(memset32),
    ROW(host_callback),
    MEMORY(allocate),
    MEMORY(deallocate),
    MEMORY(host_memory_allocate),
    MEMORY(host_memory_deallocate),
    MEMORY(get_allocator_stats),
    MEMORY(device_memory_usage),
};

enum { ROWS = sizeof rows / sizeof *rows };

static size_t row_of(const char *slot) {
  size_t i = 0;
  while (i < ROWS && strcmp(rows[i].name, slot) != 0)
    i++;
  return i;
}

bool runner_device_call_has(const runner_device *device, const char *slot) {
  size_t row = row_of(slot);
  if (row == ROWS || rows[row].offset == PRESENT) return row < ROWS;
  const void *address;
  memcpy(&address, (const char *)runner_executor(device) + rows[row].offset, sizeof address);
  return address != NULL;
}

static void perform(void *context) {
  performance *self = context;
  self->status = TF_NewStatus();
  runner_enter();
  rows[row_of(self->call->slot)].run(self);
  runner_leave();
  self->call->code = TF_GetCode(self->status);
  TF_DeleteStatus(self->status);
}

bool runner_device_overlap(const runner_device *device, size_t k, device_call *first,
                           device_call *second) {
  performance one = {.abi = &device->platform->abi,
                     .executor = runner_executor(device),
                     .device = runner_device_of(device),
                     .call = first};
  performance two = one;
  two.call = second;
  return runner_schedule(k, (runner_task){perform, &one}, (runner_task){perform, &two});
}
