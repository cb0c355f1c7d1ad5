#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "core/device/memory.h"
#include "core/device/stream.h"
#include "device.h"

/* What a plain call returns: the Stream at 1, or the failure. */
static int push_stream(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushvalue(L, 1);
  return 1;
}

/* The same for a job. */
static int push_enqueued(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_subject(L);
  return 1;
}

/* Starts the job of an operation of the Stream, in its turn. A job has references of its own to what else
 * it uses, as that may be closed meanwhile: they are in `made`, and released by its kind. A plain call
 * enqueues at once, without the block of arguments that a job needs. */
static int stream_defer(lua_State *L, device_part *self, operation *call) {
  call->handle = handle_of(L, self);
  call->object = &self->object;
  call->turn = OPERATION_ORDERED;
  return operation_perform(L, call);
}

/* Copies -------------------------------------------------------------------- */

/* One end of a copy: memory, bytes, or a string, for which both are NULL. */
typedef struct copy_end {
  modfs_memory *memory;
  modfs_bytes *bytes;
  char *data;
  uint64_t size;
} copy_end;

static copy_end memory_end(const device_part *memory) {
  modfs_memory *handle = memory->object.handle;
  return (copy_end){.memory = handle, .size = modfs_memory_size(handle)};
}

static copy_end view_end(const bytes_view *view) {
  return (copy_end){.bytes = view->object.handle, .data = view->data, .size = view->length};
}

static copy_end check_target(lua_State *L) {
  if (object_test(L, 2, &modfs_memory_class) != NULL) return memory_end(check_memory(L, 2));
  if (object_test(L, 2, &modfs_buffer_class) == NULL) type_error(L, 2, "Memory or Buffer");
  return view_end(check_object(L, 2, &modfs_buffer_class));
}

static copy_end check_source(lua_State *L, bool to_memory) {
  if (object_test(L, 3, &modfs_memory_class) != NULL) return memory_end(check_memory(L, 3));
  if (!to_memory) type_error(L, 3, "Memory");
  if (object_test(L, 3, &modfs_buffer_class) != NULL)
    return view_end(check_object(L, 3, &modfs_buffer_class));
  if (object_test(L, 3, &modfs_region_class) != NULL)
    return view_end(check_object(L, 3, &modfs_region_class));
  if (lua_type(L, 3) != LUA_TSTRING) type_error(L, 3, "Memory, Buffer, Region or string");
  size_t length;
  const char *string = lua_tolstring(L, 3, &length);
  return (copy_end){.data = (char *)(uintptr_t)string, .size = length};
}

/* The number of bytes to copy; false after pushing the failure. */
static bool check_length(lua_State *L, const copy_end *to, const copy_end *from, uint64_t *n) {
  *n = from->size;
  if (!lua_isnoneornil(L, 4) && !check_offset(L, 4, "n", n)) return false;
  if (*n <= from->size && *n <= to->size) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT,
                    "copy: %" PRIu64 " bytes do not fit: src has %" PRIu64 ", dst %" PRIu64, *n,
                    from->size, to->size);
  return false;
}

static bool check_devices(lua_State *L, const copy_end *to, const copy_end *from) {
  const device_part *self = check_stream(L, 1);
  return (to->memory == NULL || check_same_device(L, self, check_memory(L, 2), "dst")) &&
         (from->memory == NULL || check_same_device(L, self, check_memory(L, 3), "src"));
}

/* The string may be collected before the copy is done, so the stream retains a copy of it. */
static void write_string(modfs_stream *stream, modfs_memory *to, const char *string, uint64_t n,
                         TF_Status *status) {
  modfs_bytes *bytes = modfs_bytes_new((size_t)n, status);
  if (bytes == NULL) return;
  memcpy(modfs_bytes_data(bytes), string, (size_t)n);
  modfs_stream_write(stream, to, bytes, modfs_bytes_data(bytes), n, status);
  modfs_bytes_drop(bytes);
}

typedef struct stream_copying {
  copy_end to, from;
} stream_copying;

static void enqueue_copy(modfs_stream *stream, const stream_copying *ends, uint64_t n,
                         TF_Status *status) {
  const copy_end *to = &ends->to, *from = &ends->from;
  if (to->memory == NULL)
    modfs_stream_read(stream, to->bytes, to->data, from->memory, n, status);
  else if (from->memory != NULL)
    modfs_stream_copy(stream, to->memory, from->memory, n, status);
  else if (from->bytes != NULL)
    modfs_stream_write(stream, to->memory, from->bytes, from->data, n, status);
  else
    write_string(stream, to->memory, from->data, n, status);
}

static void copy_run(operation *self, TF_Status *status) {
  enqueue_copy(self->handle, self->made, self->n, status);
}

static void copy_free(operation *self) {
  stream_copying *ends = self->made;
  modfs_memory_free(ends->to.memory);
  modfs_memory_free(ends->from.memory);
  modfs_bytes_drop(ends->to.bytes);
  modfs_bytes_drop(ends->from.bytes);
  free(ends);
}

/* A string becomes bytes of its own. */
static bool hold_end(copy_end *end, uint64_t n, TF_Status *status) {
  if (end->memory != NULL) {
    memory_hold(end->memory);
  } else if (end->bytes != NULL) {
    modfs_bytes_hold(end->bytes);
  } else {
    end->bytes = modfs_bytes_new((size_t)n, status);
    if (end->bytes == NULL) return false;
    end->data = memcpy(modfs_bytes_data(end->bytes), end->data, (size_t)n);
  }
  return true;
}

/* NULL without memory. */
static stream_copying *hold_ends(const stream_copying *ends, uint64_t n, TF_Status *status) {
  stream_copying *held = malloc(sizeof *held);
  if (held == NULL) return NULL;
  *held = *ends;
  if (!hold_end(&held->from, n, status)) {
    free(held);
    return NULL;
  }
  hold_end(&held->to, n, status);
  return held;
}

static int defer_copy(lua_State *L, device_part *self, const stream_copying *ends, uint64_t n) {
  static const operation_kind kind = {copy_run, push_enqueued, copy_free, false};
  stream_copying *held = hold_ends(ends, n, state_status(L));
  if (held == NULL) raise_no_memory(L);
  return stream_defer(L, self, &(operation){.kind = &kind, .made = held, .n = n});
}

static int stream_copy(lua_State *L) {
  no_options(L, 5);
  device_part *self = check_stream(L, 1);
  copy_end to = check_target(L);
  const bytes_view *buffer = object_test(L, 2, &modfs_buffer_class);
  if (buffer != NULL && !bytes_check_free(L, buffer)) return 3;
  stream_copying ends = {to, check_source(L, to.memory != NULL)};
  uint64_t n;
  if (!check_length(L, &ends.to, &ends.from, &n) || !check_devices(L, &ends.to, &ends.from))
    return 3;
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return defer_copy(L, self, &ends, n);
  enqueue_copy(handle_of(L, self), &ends, n, state->status);
  return push_stream(L, state->status);
}

static void fill_run(operation *self, TF_Status *status) {
  modfs_stream_fill(self->handle, self->made, (unsigned char)self->n, status);
}

static void filled_free(operation *self) {
  modfs_memory_free(self->made);
}

static int stream_fill(lua_State *L) {
  no_options(L, 4);
  static const operation_kind kind = {fill_run, push_enqueued, filled_free, false};
  device_part *self = check_stream(L, 1);
  const device_part *memory = check_memory(L, 2);
  unsigned char byte;
  if (!check_byte(L, 3, &byte) || !check_same_device(L, self, memory, "memory")) return 3;
  modfs_memory *filled = memory->object.handle;
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state))
    return stream_defer(L, self,
                        &(operation){.kind = &kind, .made = memory_hold(filled), .n = byte});
  modfs_stream_fill(handle_of(L, self), filled, byte, state->status);
  return push_stream(L, state->status);
}

/* Order --------------------------------------------------------------------- */

static void wait_event_run(operation *self, TF_Status *status) {
  modfs_stream_wait_event(self->handle, self->made, status);
}

static void wait_stream_run(operation *self, TF_Status *status) {
  modfs_stream_wait_stream(self->handle, self->made, status);
}

static void record_run(operation *self, TF_Status *status) {
  modfs_stream_record(self->handle, self->made, status);
}

static void event_free(operation *self) {
  modfs_event_close(self->made);
}

static void stream_free(operation *self) {
  stream_drop(self->made);
}

static int wait_for_event(lua_State *L, device_part *self, modfs_event *event) {
  static const operation_kind kind = {wait_event_run, push_enqueued, event_free, false};
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state))
    return stream_defer(L, self, &(operation){.kind = &kind, .made = event_hold(event)});
  modfs_stream_wait_event(handle_of(L, self), event, state->status);
  return push_stream(L, state->status);
}

static int wait_for_stream(lua_State *L, device_part *self, modfs_stream *other) {
  static const operation_kind kind = {wait_stream_run, push_enqueued, stream_free, false};
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state))
    return stream_defer(L, self, &(operation){.kind = &kind, .made = stream_hold(other)});
  modfs_stream_wait_stream(handle_of(L, self), other, state->status);
  return push_stream(L, state->status);
}

static int stream_wait(lua_State *L) {
  no_options(L, 3);
  device_part *self = check_stream(L, 1);
  bool for_event = object_test(L, 2, &modfs_event_class) != NULL;
  if (!for_event && object_test(L, 2, &modfs_stream_class) == NULL)
    type_error(L, 2, "Event or Stream");
  const device_part *other = for_event ? check_event(L, 2) : check_stream(L, 2);
  if (!check_same_device(L, self, other, for_event ? "event" : "stream")) return 3;
  if (for_event) return wait_for_event(L, self, other->object.handle);
  return wait_for_stream(L, self, other->object.handle);
}

static int stream_record(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {record_run, push_enqueued, event_free, false};
  device_part *self = check_stream(L, 1);
  const device_part *event = check_event(L, 2);
  if (!check_same_device(L, self, event, "event")) return 3;
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state))
    return stream_defer(L, self,
                        &(operation){.kind = &kind, .made = event_hold(event->object.handle)});
  modfs_stream_record(handle_of(L, self), event->object.handle, state->status);
  return push_stream(L, state->status);
}

/* Status -------------------------------------------------------------------- */

static void status_run(operation *self, TF_Status *status) {
  modfs_stream_status(self->handle, status);
}

static int status_push(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_done(L, status);
}

static int stream_status(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {status_run, status_push, NULL, true};
  device_part *self = check_stream(L, 1);
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return stream_defer(L, self, &(operation){.kind = &kind});
  modfs_stream_status(handle_of(L, self), state->status);
  return push_done(L, state->status);
}

static void synchronize_run(operation *self, TF_Status *status) {
  modfs_stream_synchronize(self->handle, status);
}

/* An error in a callback that runs here is also this call's failure. Behind a Job the stream may belong
 * to the next one already. */
static int stream_synchronize(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {synchronize_run, push_waiting, NULL, true};
  device_part *self = check_stream(L, 1);
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return stream_defer(L, self, &(operation){.kind = &kind});
  modfs_stream_synchronize(handle_of(L, self), state->status);
  int results = push_waited(L, state->status);
  if (results != 1 || self->object.handle == NULL) return results;
  modfs_stream_status(self->object.handle, state->status);
  return push_done(L, state->status);
}

/* The object ---------------------------------------------------------------- */

static int stream_tostring(lua_State *L) {
  const device_part *self = check_self(L, &modfs_stream_class);
  TF_Status *status = state_status(L);
  if (self->object.handle != NULL) modfs_stream_status(self->object.handle, status);
  bool failed = self->object.handle != NULL && TF_GetCode(status) != TF_OK;
  return part_tostring(L, &modfs_stream_class, failed ? "failed" : NULL);
}

void modfs_lua_open_stream(lua_State *L) {
  class_new(L, &modfs_stream_class,
            FUNCTIONS({"copy", stream_copy}, {"fill", stream_fill}, {"wait", stream_wait},
                      {"record", stream_record}, {"callback", callback_enqueue},
                      {"status", stream_status}, {"synchronize", stream_synchronize},
                      {"close", object_close}),
            FUNCTIONS({"__tostring", stream_tostring}));
}
