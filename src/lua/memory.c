#include <inttypes.h>
#include <string.h>

#include "bytes.h"
#include "collect.h"
#include "device.h"

static modfs_memory *memory_here(lua_State *L) {
  return check_memory(L, 1)->object.handle;
}

/* Methods of Device --------------------------------------------------------- */

static void *open_memory(modfs_device *device, uint64_t size, TF_Status *status) {
  return modfs_memory_allocate(device, size, status);
}

static void *open_pinned(modfs_device *device, uint64_t size, TF_Status *status) {
  return modfs_device_host_allocate(device, (size_t)size, status);
}

static void *open_unified(modfs_device *device, uint64_t size, TF_Status *status) {
  return modfs_device_unified_allocate(device, (size_t)size, status);
}

int device_allocate(lua_State *L) {
  uint64_t size;
  check_device(L, 1);
  if (!check_offset(L, 2, "size", &size)) return 3;
  return part_push(L, &modfs_memory_class, open_memory, size);
}

static int allocate_buffer(lua_State *L, part_open *open) {
  size_t size;
  check_device(L, 1);
  if (!check_count(L, 2, "size", &size)) return 3;
  return part_push_buffer(L, open, size);
}

int device_host_allocate(lua_State *L) {
  return allocate_buffer(L, open_pinned);
}

int device_unified_allocate(lua_State *L) {
  return allocate_buffer(L, open_unified);
}

static modfs_memory *try_load(lua_State *L, const modfs_fs *fs, const char *path, double *seconds) {
  TF_Status *status = state_status(L);
  modfs_memory *memory =
      modfs_device_load(check_device(L, 1)->object.handle, fs, path, seconds, status);
  if (memory == NULL && collect_for_retry(L, status))
    memory = modfs_device_load(check_device(L, 1)->object.handle, fs, path, seconds, status);
  return memory;
}

int device_load(lua_State *L) {
  static const char *const no_options[] = {NULL};
  check_device(L, 1);
  const char *path = check_path(L, 2, NULL);
  if (path == NULL) return 3;
  check_options(L, 3, no_options);
  const modfs_fs *fs = find_fs(L, path);
  if (fs == NULL) return 3;
  double seconds = 0;
  device_part *self = part_new(L, &modfs_memory_class);
  self->object.handle = try_load(L, fs, path, &seconds);
  if (self->object.handle == NULL) return push_failure(L, state_status(L));
  double bytes = (double)modfs_memory_size(self->object.handle);
  lua_pushnumber(L, seconds > 0 ? bytes / seconds : 0);
  return 2;
}

/* Arguments ----------------------------------------------------------------- */

/* The position at arg (the first, by default) as an offset; false after pushing the failure. */
static bool check_position(lua_State *L, int arg, uint64_t size, uint64_t *offset) {
  int64_t given = opt_integer(L, arg, 1);
  int64_t position = given < 0 ? given + (int64_t)size + 1 : given;
  *offset = (uint64_t)(position - 1);
  if (position >= 1 && *offset <= size) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT,
                    "%s: position %" PRId64 " is outside the memory of %" PRIu64 " bytes",
                    function_name(L), given, size);
  return false;
}

/* Whether n bytes from offset lie within; false after pushing the failure. */
static bool check_room(lua_State *L, uint64_t size, uint64_t offset, uint64_t n) {
  if (n <= size - offset) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT,
                    "%s: %" PRIu64 " bytes at position %" PRIu64
                    " lie beyond the memory of %" PRIu64 " bytes",
                    function_name(L), n, offset + 1, size);
  return false;
}

/* The option n, a number of bytes; false after pushing the failure. */
static bool check_option_n(lua_State *L, int arg, uint64_t *n) {
  static const char *const allowed[] = {"n", NULL};
  if (!check_options(L, arg, allowed)) return true;
  lua_pushliteral(L, "n");
  lua_rawget(L, arg);
  if (lua_isnil(L, -1)) return true;
  int64_t value = 0;
  if (!compat_tointeger(L, -1, &value)) arg_error(L, arg, "option 'n': integer expected");
  *n = (uint64_t)value;
  if (value >= 0) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "copy: n %" PRId64 " is negative", value);
  return false;
}

/* Methods ------------------------------------------------------------------- */

static int memory_length(lua_State *L) {
  push_count(L, modfs_memory_size(memory_here(L)));
  return 1;
}

static int memory_write(lua_State *L) {
  modfs_memory *self = memory_here(L);
  if (lua_type(L, 2) == LUA_TNUMBER) type_error(L, 2, "string, Buffer or Region");
  uint64_t offset;
  size_t n;
  const char *data = check_bytes(L, 2, &n);
  uint64_t size = modfs_memory_size(self);
  if (!check_position(L, 3, size, &offset) || !check_room(L, size, offset, n)) return 3;
  TF_Status *status = state_status(L);
  modfs_memory_write(self, offset, data, n, status);
  return push_done(L, status);
}

static int memory_read(lua_State *L) {
  uint64_t size = modfs_memory_size(memory_here(L));
  uint64_t offset, n;
  if (!check_position(L, 2, size, &offset)) return 3;
  n = size - offset;
  if (!lua_isnoneornil(L, 3) && !check_offset(L, 3, "n", &n)) return 3;
  if (!check_room(L, size, offset, n)) return 3;
  TF_Status *status = state_status(L);
  char *data = scratch_take(L, (size_t)n);
  modfs_memory_read(memory_here(L), offset, data, n, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushlstring(L, data, (size_t)n);
  scratch_trim(L);
  return 1;
}

static int memory_copy(lua_State *L) {
  memory_here(L);
  uint64_t n = modfs_memory_size(check_memory(L, 2)->object.handle);
  if (!check_option_n(L, 3, &n)) return 3;
  modfs_memory *self = memory_here(L), *source = check_memory(L, 2)->object.handle;
  if (n > modfs_memory_size(source) || n > modfs_memory_size(self))
    return push_failure_code(L, TF_INVALID_ARGUMENT,
                             "copy: %" PRIu64 " bytes do not fit: src has %" PRIu64
                             ", the memory %" PRIu64,
                             n, modfs_memory_size(source), modfs_memory_size(self));
  TF_Status *status = state_status(L);
  modfs_memory_copy(self, source, n, status);
  return push_done(L, status);
}

static int memory_fill(lua_State *L) {
  modfs_memory *self = memory_here(L);
  unsigned char byte;
  if (!check_byte(L, 2, &byte)) return 3;
  TF_Status *status = state_status(L);
  modfs_memory_fill(self, byte, status);
  return push_done(L, status);
}

static int memory_tostring(lua_State *L) {
  const device_part *self = check_self(L, &modfs_memory_class);
  char size[32];
  if (self->object.handle == NULL) return part_tostring(L, &modfs_memory_class, NULL);
  snprintf(size, sizeof size, "%" PRIu64 " bytes", modfs_memory_size(self->object.handle));
  return part_tostring(L, &modfs_memory_class, size);
}

void modfs_lua_open_memory(lua_State *L) {
  class_new(L, &modfs_memory_class,
            FUNCTIONS({"write", memory_write}, {"read", memory_read}, {"copy", memory_copy},
                      {"fill", memory_fill}, {"close", object_close}),
            FUNCTIONS({"__len", memory_length}, {"__tostring", memory_tostring}));
}
