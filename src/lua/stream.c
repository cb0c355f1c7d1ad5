#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "core/device/memory.h"
#include "core/device/stream.h"
#include "device.h"

/* The Stream, or the failure. */
static int push_enqueued(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_subject(L);
  return 1;
}

/* Performs an operation of the Stream in its turn. A job has references of its own to what else it
 * uses, as that may be closed meanwhile: they are in `made`, and released by the kind `held`. */
static int stream_perform(lua_State *L, const operation_kind *kind, operation *call) {
  device_part *self = lua_touserdata(L, 1);
  call->kind = kind;
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

static void copy_run(operation *self, TF_Status *status) {
  const stream_copying *ends = self->made;
  const copy_end *to = &ends->to, *from = &ends->from;
  if (to->memory == NULL)
    modfs_stream_read(self->handle, to->bytes, to->data, from->memory, self->n, status);
  else if (from->memory != NULL)
    modfs_stream_copy(self->handle, to->memory, from->memory, self->n, status);
  else if (from->bytes != NULL)
    modfs_stream_write(self->handle, to->memory, from->bytes, from->data, self->n, status);
  else
    write_string(self->handle, to->memory, from->data, self->n, status);
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

static int stream_copy(lua_State *L) {
  no_options(L, 5);
  static const operation_kind kind = {copy_run, push_enqueued, NULL, false},
                              held = {copy_run, push_enqueued, copy_free, false};
  check_stream(L, 1);
  copy_end to = check_target(L);
  const bytes_view *buffer = object_test(L, 2, &modfs_buffer_class);
  if (buffer != NULL && !bytes_check_free(L, buffer)) return 3;
  stream_copying ends = {to, check_source(L, to.memory != NULL)};
  uint64_t n;
  if (!check_length(L, &ends.to, &ends.from, &n) || !check_devices(L, &ends.to, &ends.from))
    return 3;
  if (!operation_is_deferred(L))
    return stream_perform(L, &kind, &(operation){.made = &ends, .n = n});
  stream_copying *copy = hold_ends(&ends, n, state_status(L));
  if (copy == NULL) raise_no_memory(L);
  return stream_perform(L, &held, &(operation){.made = copy, .n = n});
}

static void fill_run(operation *self, TF_Status *status) {
  modfs_stream_fill(self->handle, self->made, (unsigned char)self->n, status);
}

static void filled_free(operation *self) {
  modfs_memory_free(self->made);
}

static int stream_fill(lua_State *L) {
  no_options(L, 4);
  static const operation_kind kind = {fill_run, push_enqueued, NULL, false},
                              held = {fill_run, push_enqueued, filled_free, false};
  const device_part *self = check_stream(L, 1);
  const device_part *memory = check_memory(L, 2);
  unsigned char byte;
  if (!check_byte(L, 3, &byte) || !check_same_device(L, self, memory, "memory")) return 3;
  modfs_memory *filled = memory->object.handle;
  bool holds = operation_is_deferred(L);
  return stream_perform(L, holds ? &held : &kind,
                        &(operation){.made = holds ? memory_hold(filled) : filled, .n = byte});
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

/* kinds: for a plain call, and for a job. */
static int perform_with_event(lua_State *L, const operation_kind kinds[2], modfs_event *event) {
  bool holds = operation_is_deferred(L);
  return stream_perform(L, &kinds[holds], &(operation){.made = holds ? event_hold(event) : event});
}

static int wait_for_stream(lua_State *L, modfs_stream *other) {
  static const operation_kind kind = {wait_stream_run, push_enqueued, NULL, false},
                              held = {wait_stream_run, push_enqueued, stream_free, false};
  bool holds = operation_is_deferred(L);
  return stream_perform(L, holds ? &held : &kind,
                        &(operation){.made = holds ? stream_hold(other) : other});
}

static int stream_wait(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kinds[] = {{wait_event_run, push_enqueued, NULL, false},
                                         {wait_event_run, push_enqueued, event_free, false}};
  const device_part *self = check_stream(L, 1);
  bool for_event = object_test(L, 2, &modfs_event_class) != NULL;
  if (!for_event && object_test(L, 2, &modfs_stream_class) == NULL)
    type_error(L, 2, "Event or Stream");
  const device_part *other = for_event ? check_event(L, 2) : check_stream(L, 2);
  if (!check_same_device(L, self, other, for_event ? "event" : "stream")) return 3;
  if (for_event) return perform_with_event(L, kinds, other->object.handle);
  return wait_for_stream(L, other->object.handle);
}

static int stream_record(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kinds[] = {{record_run, push_enqueued, NULL, false},
                                         {record_run, push_enqueued, event_free, false}};
  const device_part *self = check_stream(L, 1);
  const device_part *event = check_event(L, 2);
  if (!check_same_device(L, self, event, "event")) return 3;
  return perform_with_event(L, kinds, event->object.handle);
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
  check_stream(L, 1);
  return stream_perform(L, &kind, &(operation){.n = 0});
}

static void synchronize_run(operation *self, TF_Status *status) {
  modfs_stream_synchronize(self->handle, status);
}

/* An error in a callback that runs here is also this call's failure. */
static int synchronize_push(lua_State *L, operation *self, const TF_Status *status) {
  int results = push_waited(L, status);
  if (results != 1 || self->object->handle == NULL) return results;
  TF_Status *failure = state_status(L);
  modfs_stream_status(self->object->handle, failure);
  return push_done(L, failure);
}

/* Behind a Job the stream may belong to the next one already. */
static int stream_synchronize(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {synchronize_run, synchronize_push, NULL, true},
                              job = {synchronize_run, push_waiting, NULL, true};
  check_stream(L, 1);
  return stream_perform(L, operation_is_deferred(L) ? &job : &kind, &(operation){.n = 0});
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
