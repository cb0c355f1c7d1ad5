#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "collect.h"
#include "core/device/memory.h"
#include "device.h"

static modfs_memory *memory_here(lua_State *L) {
  return check_memory(L, 1)->object.handle;
}

/* Methods of Device --------------------------------------------------------- */

static void *open_pinned(modfs_device *device, uint64_t size, TF_Status *status) {
  return modfs_device_host_allocate(device, (size_t)size, status);
}

static void *open_unified(modfs_device *device, uint64_t size, TF_Status *status) {
  return modfs_device_unified_allocate(device, (size_t)size, status);
}

/* What makes a Memory gets a second chance, after a collection. */
static void *make_memory(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made && collect_for_retry(L, status) && self->object->handle)
    self->kind->run(self, state_status(L));
  return self->made;
}

static int push_memory(lua_State *L, operation *self, const TF_Status *status) {
  enum { CHARGE = 64 * 1024 };
  if (!make_memory(L, self, status)) return push_failure(L, status);
  push_subject(L);
  device_part *memory = part_new(L, &modfs_memory_class, lua_gettop(L));
  uint64_t size = modfs_memory_size(self->made);
  memory->object.handle = self->made;
  self->made = NULL;
  collect_charge(L, size < CHARGE ? (size_t)size : CHARGE);
  return 1;
}

static void made_free(operation *self) {
  modfs_memory_free(self->made);
}

static void allocate_run(operation *self, TF_Status *status) {
  self->made = modfs_memory_allocate(self->handle, self->n, status);
}

int device_allocate(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {allocate_run, push_memory, made_free, false};
  uint64_t size;
  device_part *self = check_device(L, 1);
  if (!check_offset(L, 2, "size", &size)) return 3;
  return operation_perform(
      L, &(operation){
             .kind = &kind, .handle = handle_of(L, self), .object = &self->object, .n = size});
}

static int allocate_buffer(lua_State *L, part_open *open) {
  no_options(L, 3);
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

static void load_run(operation *self, TF_Status *status) {
  self->made = modfs_device_load(self->handle, self->fs, self->path, &self->rate, status);
  if (self->made && self->rate > 0) self->rate = (double)modfs_memory_size(self->made) / self->rate;
}

static int load_push(lua_State *L, operation *self, const TF_Status *status) {
  int results = push_memory(L, self, status);
  if (results == 1) lua_pushnumber(L, self->rate);
  return results == 1 ? 2 : results;
}

int device_load(lua_State *L) {
  static const operation_kind kind = {load_run, load_push, made_free, false};
  static const char *const no_options[] = {NULL};
  device_part *self = check_device(L, 1);
  const char *path = check_path(L, 2, NULL);
  if (path == NULL) return 3;
  check_options(L, 3, no_options);
  const modfs_fs *fs = find_fs(L, path);
  if (fs == NULL) return 3;
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = handle_of(L, self),
                                           .object = &self->object,
                                           .fs = fs,
                                           .path = path});
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

static int push_nothing(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_done(L, status);
}

static void write_run(operation *self, TF_Status *status) {
  modfs_memory_write(self->handle, self->offset, self->data, self->length, status);
}

static int memory_write(lua_State *L) {
  no_options(L, 4);
  static const operation_kind kind = {write_run, push_nothing, NULL, false};
  device_part *self = check_memory(L, 1);
  if (lua_type(L, 2) == LUA_TNUMBER) type_error(L, 2, "string, Buffer or Region");
  uint64_t offset;
  size_t n;
  const char *data = check_bytes(L, 2, &n);
  uint64_t size = modfs_memory_size(self->object.handle);
  if (!check_position(L, 3, size, &offset) || !check_room(L, size, offset, n)) return 3;
  modfs_state *state = state_here(L);
  if (!state_is_deferred(L, state)) {
    modfs_memory_write(self->object.handle, offset, data, n, state->status);
    return push_done(L, state->status);
  }
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = self->object.handle,
                                           .object = &self->object,
                                           .data = data,
                                           .length = n,
                                           .data_index = 2,
                                           .offset = offset});
}

static void read_run(operation *self, TF_Status *status) {
  self->text = malloc((size_t)self->n + 1);
  if (self->text)
    modfs_memory_read(self->handle, self->offset, self->text, self->n, status);
  else
    modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "not enough memory for %" PRIu64 " bytes",
                     self->n);
}

static int read_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushlstring(L, self->text, (size_t)self->n);
  return 1;
}

static void text_free(operation *self) {
  free(self->text);
}

/* Without the memory of its own that a job needs. */
static int read_now(lua_State *L, modfs_state *state, const device_part *self, uint64_t offset,
                    size_t n) {
  TF_Status *status = state->status;
  char *data = scratch_take_from(L, state, n);
  modfs_memory_read(handle_of(L, self), offset, data, n, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushlstring(L, data, n);
  return 1;
}

static int memory_read(lua_State *L) {
  enum { SMALL = 1024 * 1024 }; /* the buffer is not freed after it; of more it may lack memory */
  no_options(L, 4);
  static const operation_kind kind = {read_run, read_push, text_free, true};
  device_part *self = check_memory(L, 1);
  uint64_t size = modfs_memory_size(self->object.handle);
  uint64_t offset, n;
  if (!check_position(L, 2, size, &offset)) return 3;
  n = size - offset;
  if (!lua_isnoneornil(L, 3) && !check_offset(L, 3, "n", &n)) return 3;
  if (!check_room(L, size, offset, n)) return 3;
  modfs_state *state = state_here(L);
  if (n <= SMALL && !state_is_deferred(L, state))
    return read_now(L, state, self, offset, (size_t)n);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = handle_of(L, self),
                                           .object = &self->object,
                                           .offset = offset,
                                           .n = n});
}

/* A job has a reference to the source, which may be closed meanwhile. */
static void copy_run(operation *self, TF_Status *status) {
  modfs_memory_copy(self->handle, self->made, self->n, status);
}

static int memory_copy(lua_State *L) {
  static const operation_kind kind = {copy_run, push_nothing, NULL, false},
                              held = {copy_run, push_nothing, made_free, false};
  device_part *self = check_memory(L, 1);
  uint64_t n = modfs_memory_size(check_memory(L, 2)->object.handle);
  if (!check_option_n(L, 3, &n)) return 3;
  modfs_memory *target = handle_of(L, self), *source = check_memory(L, 2)->object.handle;
  if (n > modfs_memory_size(source) || n > modfs_memory_size(target))
    return push_failure_code(L, TF_INVALID_ARGUMENT,
                             "copy: %" PRIu64 " bytes do not fit: src has %" PRIu64
                             ", the memory %" PRIu64,
                             n, modfs_memory_size(source), modfs_memory_size(target));
  bool holds = operation_is_deferred(L);
  return operation_perform(L, &(operation){.kind = holds ? &held : &kind,
                                           .handle = target,
                                           .object = &self->object,
                                           .made = holds ? memory_hold(source) : source,
                                           .n = n});
}

static void fill_run(operation *self, TF_Status *status) {
  modfs_memory_fill(self->handle, (unsigned char)self->n, status);
}

static int memory_fill(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {fill_run, push_nothing, NULL, false};
  device_part *self = check_memory(L, 1);
  unsigned char byte;
  if (!check_byte(L, 2, &byte)) return 3;
  return operation_perform(
      L, &(operation){
             .kind = &kind, .handle = self->object.handle, .object = &self->object, .n = byte});
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
