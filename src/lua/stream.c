#include <inttypes.h>
#include <string.h>

#include "bytes.h"
#include "device.h"

/* The Stream at 1, or the failure. */
static int push_enqueued(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushvalue(L, 1);
  return 1;
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

static int stream_copy(lua_State *L) {
  modfs_stream *self = check_stream(L, 1)->object.handle;
  copy_end to = check_target(L);
  copy_end from = check_source(L, to.memory != NULL);
  uint64_t n;
  if (!check_length(L, &to, &from, &n) || !check_devices(L, &to, &from)) return 3;
  TF_Status *status = state_status(L);
  if (to.memory == NULL)
    modfs_stream_read(self, to.bytes, to.data, from.memory, n, status);
  else if (from.memory != NULL)
    modfs_stream_copy(self, to.memory, from.memory, n, status);
  else if (from.bytes != NULL)
    modfs_stream_write(self, to.memory, from.bytes, from.data, n, status);
  else
    write_string(self, to.memory, from.data, n, status);
  return push_enqueued(L, status);
}

static int stream_fill(lua_State *L) {
  const device_part *self = check_stream(L, 1);
  const device_part *memory = check_memory(L, 2);
  unsigned char byte;
  if (!check_byte(L, 3, &byte) || !check_same_device(L, self, memory, "memory")) return 3;
  TF_Status *status = state_status(L);
  modfs_stream_fill(self->object.handle, memory->object.handle, byte, status);
  return push_enqueued(L, status);
}

/* Order --------------------------------------------------------------------- */

static int stream_wait(lua_State *L) {
  const device_part *self = check_stream(L, 1);
  bool for_event = object_test(L, 2, &modfs_event_class) != NULL;
  if (!for_event && object_test(L, 2, &modfs_stream_class) == NULL)
    type_error(L, 2, "Event or Stream");
  const device_part *other = for_event ? check_event(L, 2) : check_stream(L, 2);
  if (!check_same_device(L, self, other, for_event ? "event" : "stream")) return 3;
  TF_Status *status = state_status(L);
  if (for_event)
    modfs_stream_wait_event(self->object.handle, other->object.handle, status);
  else
    modfs_stream_wait_stream(self->object.handle, other->object.handle, status);
  return push_enqueued(L, status);
}

static int stream_record(lua_State *L) {
  const device_part *self = check_stream(L, 1);
  const device_part *event = check_event(L, 2);
  if (!check_same_device(L, self, event, "event")) return 3;
  TF_Status *status = state_status(L);
  modfs_stream_record(self->object.handle, event->object.handle, status);
  return push_enqueued(L, status);
}

/* Status -------------------------------------------------------------------- */

static int stream_status(lua_State *L) {
  modfs_stream *self = check_stream(L, 1)->object.handle;
  TF_Status *status = state_status(L);
  modfs_stream_status(self, status);
  return push_done(L, status);
}

/* An error in a callback that runs here is also this call's failure. */
static int stream_synchronize(lua_State *L) {
  const device_part *self = check_stream(L, 1);
  TF_Status *status = state_status(L);
  modfs_stream_synchronize(self->object.handle, status);
  int results = push_waited(L, status);
  if (results != 1 || self->object.handle == NULL) return results;
  modfs_stream_status(self->object.handle, status);
  return push_done(L, status);
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
