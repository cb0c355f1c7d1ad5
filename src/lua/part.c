#include <inttypes.h>
#include <limits.h>

#include "bytes.h"
#include "collect.h"
#include "device.h"
#include "poll.h"

static const char keeps_key = 0; /* of a table: object -> its Device */

/* Classes ------------------------------------------------------------------- */

#define PART(noun, title, release)                                                                 \
  static void noun##_release(void *handle) {                                                       \
    release(handle);                                                                               \
  }                                                                                                \
  const modfs_class modfs_##noun##_class = {"modfs." title, #noun, #noun, sizeof(device_part),     \
                                            noun##_release};                                       \
  device_part *check_##noun(lua_State *L, int arg) {                                               \
    return check_object(L, arg, &modfs_##noun##_class);                                            \
  }
PART(device, "Device", modfs_device_drop)
PART(memory, "Memory", modfs_memory_free)
PART(stream, "Stream", modfs_stream_close)
PART(event, "Event", modfs_event_close)
PART(timer, "Timer", modfs_timer_close)

/* Making -------------------------------------------------------------------- */

void push_subject(lua_State *L) {
  if (!object_test(L, 1, &modfs_job_class)) {
    lua_pushvalue(L, 1);
    return;
  }
  compat_pushvalue(L, 1);
  lua_getfield(L, -1, "objects");
  lua_rawgeti(L, -1, 1);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

device_part *part_new(lua_State *L, const modfs_class *class, int index) {
  const device_part *device = lua_touserdata(L, index);
  device_part *self = object_new(L, class);
  keep_by_object(L, &keeps_key, index);
  self->platform = device->platform;
  self->ordinal = device->ordinal;
  return self;
}

static void *try_open(lua_State *L, part_open *open, uint64_t size, TF_Status *status) {
  void *handle = open(check_device(L, 1)->object.handle, size, status);
  if (handle == NULL && collect_for_retry(L, status))
    handle = open(check_device(L, 1)->object.handle, size, status);
  return handle;
}

int part_push(lua_State *L, const modfs_class *class, part_open *open) {
  TF_Status *status = state_status(L);
  device_part *self = part_new(L, class, 1);
  self->object.handle = try_open(L, open, 0, status);
  if (self->object.handle == NULL) return push_failure(L, status);
  return 1;
}

int part_push_buffer(lua_State *L, part_open *open, uint64_t size) {
  TF_Status *status = state_status(L);
  bytes_view *self = object_new(L, &modfs_buffer_class);
  keep_by_object(L, &keeps_key, 1);
  modfs_bytes *bytes = try_open(L, open, size, status);
  if (bytes == NULL) return push_failure(L, status);
  bytes_attach(self, bytes);
  collect_charge(L, (size_t)size);
  return 1;
}

/* The method of Device that makes a part without a size. */
#define PART_METHOD(noun)                                                                          \
  static void *open_##noun(modfs_device *device, uint64_t size, TF_Status *status) {               \
    (void)size;                                                                                    \
    return modfs_##noun##_open(device, status);                                                    \
  }                                                                                                \
  int device_##noun(lua_State *L) {                                                                \
    no_options(L, 2);                                                                              \
    check_device(L, 1);                                                                            \
    return part_push(L, &modfs_##noun##_class, open_##noun);                                       \
  }
PART_METHOD(stream)
PART_METHOD(event)
PART_METHOD(timer)

/* Arguments ----------------------------------------------------------------- */

bool check_same_device(lua_State *L, const device_part *self, const device_part *other,
                       const char *name) {
  if (self->platform == other->platform && self->ordinal == other->ordinal) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s: %s belongs to %s:%d, not to %s:%d",
                    function_name(L), name, modfs_platform_name(other->platform), other->ordinal,
                    modfs_platform_name(self->platform), self->ordinal);
  return false;
}

bool check_byte(lua_State *L, int arg, unsigned char *byte) {
  int64_t value = opt_integer(L, arg, 0);
  *byte = (unsigned char)value;
  if (value >= 0 && value <= UCHAR_MAX) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s: byte %" PRId64 " is not between 0 and 255",
                    function_name(L), value);
  return false;
}

/* Results ------------------------------------------------------------------- */

int push_waited(lua_State *L, const TF_Status *status) {
  int results = push_done(L, status);
  callbacks_run(L);
  return results;
}

int push_waiting(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_waited(L, status);
}

int part_tostring(lua_State *L, const modfs_class *class, const char *state) {
  const device_part *self = check_self(L, class);
  char text[512];
  if (self->object.handle == NULL)
    snprintf(text, sizeof text, "%s (closed)", class->name);
  else
    snprintf(text, sizeof text, "%s (%s:%d%s%s)", class->name, modfs_platform_name(self->platform),
             self->ordinal, state != NULL ? ", " : "", state != NULL ? state : "");
  lua_pushstring(L, text);
  return 1;
}
