/* Handles and memory that are used again, and are not as new. */
#include "device_mutant.h"

#include <stdlib.h>

static SP_Stream stream_left;
static SP_Event event_left;
static SP_Timer timer_left;
static BASE left;

static void make_stream(DEVICE, SP_Stream *stream, TF_Status *status) {
  if (stream_left)
    *stream = stream_left;
  else
    good.create_stream(device, stream, status);
  stream_left = NULL;
}
static void keep_stream(DEVICE, SP_Stream stream) {
  TF_Status *own = TF_NewStatus();
  good.block_host_until_done(device, stream, own);
  TF_DeleteStatus(own);
  if (stream_left) good.destroy_stream(device, stream_left);
  stream_left = stream;
}

static void make_event(DEVICE, SP_Event *event, TF_Status *status) {
  if (event_left)
    *event = event_left;
  else
    good.create_event(device, event, status);
  event_left = NULL;
}
static void keep_event(DEVICE, SP_Event event) {
  if (event_left) good.destroy_event(device, event_left);
  event_left = event;
}

/* A timer is started once in its life, which goes on. */
static SP_Timer started[64];
static void make_timer(DEVICE, SP_Timer *timer, TF_Status *status) {
  if (timer_left)
    *timer = timer_left;
  else
    good.create_timer(device, timer, status);
  timer_left = NULL;
}
static void keep_timer(DEVICE, SP_Timer timer) {
  if (timer_left) good.destroy_timer(device, timer_left);
  timer_left = timer;
}
static void start_new(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  int i = 0;
  while (i < 63 && started[i] && started[i] != timer)
    i++;
  if (started[i] != timer) good.start_timer(device, stream, timer, status);
  started[i] = timer;
}

/* The piece that was freed last is given to everybody who asks for its size. */
static void allocate_left(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  if (left.opaque && left.size == size)
    *memory = left;
  else
    good.allocate(device, size, space, memory);
}
static void keep_left(DEVICE, BASE *memory) {
  if (memory->opaque == left.opaque) return;
  if (left.opaque) good.deallocate(device, &left);
  left = *memory;
}

/* The host memory that was freed last stays with everybody who got it. */
static struct {
  void *memory;
  bool freed;
} host_left;
static void *host_allocate_left(DEVICE, uint64_t size) {
  if (size == 1000 && host_left.freed) return host_left.memory;
  return good.host_memory_allocate(device, size);
}
static void host_keep_left(DEVICE, void *memory) {
  if (host_left.freed && memory != host_left.memory) good.host_memory_deallocate(device, memory);
  if (!host_left.freed) host_left.memory = memory;
  host_left.freed = true;
}

/* An event knows its stream by its address, whoever has that now. */
static struct {
  SP_Event event;
  SP_Stream stream;
} recorded[64];
static SP_Stream made_again;

static void make_stream_again(DEVICE, SP_Stream *stream, TF_Status *status) {
  made_again = stream_left;
  make_stream(device, stream, status);
}
static void record_by_address(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  int i = 0;
  while (i < 63 && recorded[i].event && recorded[i].event != event)
    i++;
  recorded[i].event = event;
  recorded[i].stream = stream;
  good.record_event(device, stream, event, status);
}
static SE_EventStatus ask_by_address(DEVICE, SP_Event event) {
  for (int i = 0; i < 64; i++)
    if (recorded[i].event == event && made_again && recorded[i].stream == made_again)
      return SE_EVENT_PENDING;
  return good.get_event_status(device, event);
}

/* Ending one ends what others have. */
static int ended;
static void end_event(DEVICE, SP_Event event) {
  ended++;
  good.destroy_event(device, event);
}
static SE_EventStatus ask_ended(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  return ended && answer == SE_EVENT_PENDING ? SE_EVENT_COMPLETE : answer;
}

static void deallocate_some(DEVICE, BASE *memory) {
  if (!memory->opaque) abort();
  good.deallocate(device, memory);
}

/* Some bytes of each are never freed. */
static void *volatile lost;
static void lose(void) {
  lost = malloc(40);
}
static void lose_in_stream(DEVICE, SP_Stream stream) {
  lose();
  good.destroy_stream(device, stream);
}
static void lose_in_timer(DEVICE, SP_Timer timer) {
  lose();
  good.destroy_timer(device, timer);
}
static void lose_in_allocate(DEVICE, BASE *memory) {
  lose();
  good.deallocate(device, memory);
}
static int held;
static void *volatile table;
static void allocate_with_table(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  if (memory->opaque && held++ == 0) table = malloc(40);
}
static void lose_table(DEVICE, BASE *memory) {
  if (memory->opaque && --held == 0) table = NULL;
  good.deallocate(device, memory);
}
static void lose_in_host(DEVICE, void *memory) {
  lose();
  good.host_memory_deallocate(device, memory);
}
static void lose_in_copy(DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size,
                         TF_Status *status) {
  lose();
  good.memcpy_htod(device, stream, to, from, size, status);
}
static void lose_in_synchronize(DEVICE, TF_Status *status) {
  lose();
  good.synchronize_all_activity(device, status);
}
static void lose_in_fill(DEVICE, SP_Stream stream, BASE *to, uint8_t pattern, uint64_t size,
                         TF_Status *status) {
  lose();
  good.memset(device, stream, to, pattern, size, status);
}
static void lose_in_wait(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  lose();
  good.wait_for_event(device, stream, event, status);
}

static bool heap_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("stream.loses.bytes", destroy_stream, lose_in_stream)
  SLOT("timer.loses.bytes", destroy_timer, lose_in_timer)
  SLOT("deallocate.loses.bytes", deallocate, lose_in_allocate)
  ON("deallocate.loses.table", tables->executor->allocate = allocate_with_table;
     tables->executor->deallocate = lose_table)
  SLOT("host.loses.bytes", host_memory_deallocate, lose_in_host)
  SLOT("htod.loses.bytes", memcpy_htod, lose_in_copy)
  SLOT("synchronize.loses.bytes", synchronize_all_activity, lose_in_synchronize)
  SLOT("memset.loses.bytes", memset, lose_in_fill)
  SLOT("event.wait.loses.bytes", wait_for_event, lose_in_wait)
  return false;
}

bool handle_fault_apply(mutant_tables *tables, const char *name) {
  SP_StreamExecutor *executor = tables->executor;
  ON("stream.as.left", executor->create_stream = make_stream;
     executor->destroy_stream = keep_stream)
  ON("event.as.left", executor->create_event = make_event; executor->destroy_event = keep_event)
  ON("timer.as.left", executor->create_timer = make_timer; executor->destroy_timer = keep_timer;
     executor->start_timer = start_new)
  ON("allocate.left", executor->allocate = allocate_left; executor->deallocate = keep_left)
  ON("host.left", executor->host_memory_allocate = host_allocate_left;
     executor->host_memory_deallocate = host_keep_left)
  ON("event.by.address", executor->create_stream = make_stream_again;
     executor->destroy_stream = keep_stream; executor->record_event = record_by_address;
     executor->get_event_status = ask_by_address)
  ON("event.ends.others", executor->destroy_event = end_event;
     executor->get_event_status = ask_ended)
  SLOT("deallocate.null", deallocate, deallocate_some)
  return heap_fault_apply(tables, name);
}
