#include "file.h"

#include "bytes.h"
#include "collect.h"
#include "operation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/fs/inlined.h"

enum { CHUNK = 1024 * 1024 };

static void file_release(void *handle) {
  modfs_file_close(handle);
}

const modfs_class modfs_file_class = {"modfs.File", "file", "file", sizeof(file_object),
                                      file_release};

static void open_run(operation *self, TF_Status *status) {
  self->made = modfs_file_open(self->fs, self->path, status);
}

int file_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  operation_push_made(L, self);
  return 1;
}

static int start_opening(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {open_run, file_push, operation_end_made, true};
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .class = &modfs_file_class});
}

int modfs_lua_file_new(lua_State *L, const modfs_fs *fs, const char *path) {
  if (operation_is_deferred(L)) return start_opening(L, fs, path);
  TF_Status *status = state_status(L);
  file_object *self = object_new(L, &modfs_file_class);
  modfs_file *file = modfs_file_open_here(fs, path, status);
  if (file == NULL && collect_for_retry(L, status)) file = modfs_file_open(fs, path, status);
  if (file == NULL) return push_failure(L, status);
  self->object.handle = file;
  return 1;
}

modfs_file *file_handle(lua_State *L, const file_object *self) {
  return handle_of(L, self);
}

modfs_input *file_input(lua_State *L, file_object *self) {
  enum { CHARGE = 16 * 1024 };
  if (self->object.strand != NULL) file_handle(L, self);
  if (self->input != NULL) return self->input;
  collect_charge(L, CHARGE);
  modfs_file *file = file_handle(L, self);
  if (self->input == NULL) self->input = modfs_input_open(file);
  if (self->input == NULL) luaL_error(L, "not enough memory");
  return self->input;
}

file_object *check_file(lua_State *L) {
  return check_open(L, &modfs_file_class);
}

/* Reading at the position --------------------------------------------------- */

static int file_read(lua_State *L) {
  file_object *self = check_file(L);
  int count = lua_gettop(L) - 1;
  if (!check_formats(L, 2, count)) return 3;
  if (operation_is_deferred(L)) return start_reading(L, self, 2, count, false);
  return read_formats(L, self, 2, count);
}

enum { SEEK_TO_START, SEEK_FROM_HERE, SEEK_FROM_END };

static void seek_run(operation *self, TF_Status *status) {
  modfs_input *input = self->handle;
  int64_t position = 0, offset = (int64_t)self->offset;
  TF_SetStatus(status, TF_OK, "");
  if (self->mode == SEEK_FROM_HERE) position = (int64_t)modfs_input_tell(input);
  if (self->mode == SEEK_FROM_END) position = modfs_file_size(self->settings, status);
  if (TF_GetCode(status) != TF_OK) return;
  if (__builtin_add_overflow(position, offset, &position) || position < 0)
    modfs_set_status(status, TF_INVALID_ARGUMENT, "seek %s: position out of range", self->path);
  else if (compat_integer_fits(position))
    modfs_input_seek(input, (uint64_t)position);
  self->number = position;
}

static int length_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_length(L, self->path, self->number);
}

/* settings: the file, which outlives the operation as its object does. */
static int file_seek(lua_State *L) {
  static const char *const names[] = {"set", "cur", "end", NULL};
  static const operation_kind kind = {seek_run, length_push, NULL, false};
  file_object *self = check_file(L);
  int whence = compat_checkoption(L, 2, "cur", names);
  int64_t offset = opt_integer(L, 3, 0);
  modfs_input *input = file_input(L, self);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = input,
                                           .object = &self->object,
                                           .turn = OPERATION_ORDERED,
                                           .settings = self->object.handle,
                                           .path = modfs_file_name(self->object.handle),
                                           .offset = (uint64_t)offset,
                                           .mode = whence});
}

/* Reading at an offset ------------------------------------------------------ */

typedef struct reading {
  uint64_t offset;
  size_t n;
  char *data; /* the scratch buffer, whose value is pushed */
} reading;

/* Reads a chunk first, then each time as much again as was read so far. Returns the number of bytes
 * read, -1 on failure. */
static int64_t read_at(lua_State *L, const file_object *self, modfs_state *state, reading *what) {
  size_t n = what->n, size = n < CHUNK ? n : CHUNK, used = 0;
  what->data = scratch_take_from(L, state, size);
  for (;;) {
    int64_t came = modfs_file_read_here(handle_of(L, self), what->offset + used, size - used,
                                        what->data + used, state->status);
    if (came < 0) return -1;
    used += (size_t)came;
    if (used < size || used == n) return (int64_t)used;
    size = n - used < used ? n : 2 * used;
    what->data = scratch_grow(L, used, size);
  }
}

/* The same for a job, into memory of C. */
static void pread_run(operation *self, TF_Status *status) {
  size_t n = self->n > 0 ? self->n : 1, size = n < CHUNK ? n : CHUNK;
  for (bool more = true; more;) {
    char *text = realloc(self->text, size);
    if (!text) {
      modfs_set_status(status, TF_RESOURCE_EXHAUSTED, "pread %s: out of memory", self->path);
      return;
    }
    self->text = text;
    int64_t came = modfs_file_read(self->handle, self->offset + self->used, size - self->used,
                                   text + self->used, status);
    if (came < 0) return;
    self->used += (size_t)came;
    modfs_job_report(self->used, self->n, 0, 0);
    more = self->used == size && size < n;
    size = n - size < size ? n : 2 * size;
  }
}

static int pread_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->used == 0)
    lua_pushnil(L);
  else
    lua_pushlstring(L, self->text, self->n > 0 ? self->used : 0);
  return 1;
}

static int start_pread(lua_State *L, file_object *self, uint64_t offset, size_t n) {
  static const operation_kind kind = {pread_run, pread_push, operation_end_text, true};
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = self->object.handle,
                                           .object = &self->object,
                                           .turn = OPERATION_FREE,
                                           .path = modfs_file_name(self->object.handle),
                                           .offset = offset,
                                           .n = n});
}

static int file_pread(lua_State *L) {
  no_options(L, 4);
  file_object *self = check_file(L);
  modfs_state *state = state_here(L);
  uint64_t offset;
  size_t n;
  if (!check_offset(L, 2, "offset", &offset) || !check_count(L, 3, "count", &n)) return 3;
  if (state_is_deferred(L, state)) return start_pread(L, self, offset, n);
  reading what = {.offset = offset, .n = n > 0 ? n : 1}; /* n = 0 tests for the end */
  int64_t came = read_at(L, self, state, &what);
  if (came < 0) return push_failure(L, state->status);
  if (came == 0)
    lua_pushnil(L);
  else
    lua_pushlstring(L, what.data, n > 0 ? (size_t)came : 0);
  if (came > CHUNK) scratch_trim(L);
  return 1;
}

/* Reads n bytes, or up to the end; on failure the position does not change. */
static int64_t read_on(modfs_input *input, char *data, size_t n, TF_Status *status) {
  uint64_t start = modfs_input_tell(input);
  int64_t came = 0;
  for (size_t used = 0; used < n; used += (size_t)came) {
    came = modfs_input_read(input, data + used, n - used, status);
    if (came == 0) break;
    if (came < 0) {
      modfs_input_seek(input, start);
      return -1;
    }
  }
  return (int64_t)(modfs_input_tell(input) - start);
}

/* The part of the buffer from the position at 5 on, of the length at 4 (default: to the end); false
 * after pushing the failure. */
static bool check_target(lua_State *L, const char *file, bytes_view *buffer, size_t *at,
                         size_t *n) {
  *at = 0;
  *n = buffer->length;
  if (lua_gettop(L) < 4) return true;
  if (!lua_isnoneornil(L, 5) && !bytes_position(L, buffer, 5, at)) {
    push_failure_code(L, TF_INVALID_ARGUMENT, "readinto %s: position outside the buffer", file);
    return false;
  }
  *n = buffer->length - *at;
  size_t room = *n;
  if (lua_isnoneornil(L, 4)) return true;
  if (!check_count(L, 4, "count", n)) return false;
  if (*n <= room) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "readinto %s: count %zu exceeds the end of the buffer",
                    file, *n);
  return false;
}

typedef struct filling {
  modfs_input *input; /* NULL: at the offset, not onwards from the position */
  uint64_t offset;
  char *data;
  size_t n;
} filling;

static int64_t fill(const modfs_file *file, const filling *what, TF_Status *status) {
  return what->input ? read_on(what->input, what->data, what->n, status)
                     : modfs_file_read_here(file, what->offset, what->n, what->data, status);
}

static int push_filled(lua_State *L, int64_t came, const TF_Status *status) {
  if (came < 0) return push_failure(L, status);
  push_integer(L, came);
  return 1;
}

/* For a job. mode: onwards, with the input as the handle. */
static void readinto_run(operation *self, TF_Status *status) {
  const filling what = {self->mode ? self->handle : NULL, self->offset,
                        (char *)(uintptr_t)self->data, self->length};
  self->number = fill(self->handle, &what, status);
}

static int readinto_push(lua_State *L, operation *self, const TF_Status *status) {
  return push_filled(L, self->number, status);
}

static int start_filling(lua_State *L, file_object *self, const filling *what) {
  static const operation_kind kind = {readinto_run, readinto_push, NULL, true};
  modfs_input *input = what->input;
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = input ? (void *)input : self->object.handle,
                                           .object = &self->object,
                                           .turn = input ? OPERATION_ORDERED : OPERATION_FREE,
                                           .path = modfs_file_name(self->object.handle),
                                           .mode = input != NULL,
                                           .offset = what->offset,
                                           .data = what->data,
                                           .length = what->n,
                                           .data_index = 2,
                                           .fills = true});
}

static int file_readinto(lua_State *L) {
  no_options(L, 6);
  file_object *self = check_file(L);
  const modfs_state *state = state_here(L);
  bool onwards = lua_isnoneornil(L, 3);
  filling what = {.input = onwards ? file_input(L, self) : NULL};
  bytes_view *buffer = check_object(L, 2, &modfs_buffer_class);
  const modfs_file *file = handle_of(L, self);
  size_t at;
  if (!onwards && !check_offset(L, 3, "offset", &what.offset)) return 3;
  if (!check_target(L, modfs_file_name(file), buffer, &at, &what.n)) return 3;
  what.data = buffer->data + at;
  if (state_is_deferred(L, state)) return start_filling(L, self, &what);
  if (!bytes_check_free(L, buffer)) return 3;
  return push_filled(L, fill(file, &what, state->status), state->status);
}

/* The file itself ----------------------------------------------------------- */

static void size_run(operation *self, TF_Status *status) {
  self->number = modfs_file_size(self->handle, status);
}

static int file_size(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {size_run, length_push, NULL, true};
  file_object *self = check_file(L);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .handle = self->object.handle,
                                           .object = &self->object,
                                           .turn = OPERATION_FREE,
                                           .path = modfs_file_name(self->object.handle)});
}

/* A copy of the name that no finalizer can free; its value is pushed. */
static const char *keep_name(lua_State *L, const file_object *self) {
  size_t size = strlen(modfs_file_name(file_handle(L, self))) + 1;
  char *copy = scratch_take(L, size);
  return memcpy(copy, modfs_file_name(file_handle(L, self)), size);
}

static int file_name(lua_State *L) {
  lua_pushstring(L, keep_name(L, check_file(L)));
  return 1;
}

FS_INLINE void file_end_here(file_object *self) {
  object_join(&self->object);
  modfs_file *file = self->object.handle;
  modfs_input_close(self->input);
  self->input = NULL;
  self->object.handle = NULL;
  modfs_file_close_here(file);
}

void file_end(file_object *self) {
  file_end_here(self);
}

static void close_run(operation *self, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  operation_end_made(self);
}

static int close_push(lua_State *L, operation *self, const TF_Status *status) {
  operation_give_back(self);
  return push_done(L, status);
}

static int file_close(lua_State *L) {
  static const operation_kind kind = {close_run, close_push, operation_end_made, false};
  file_object *self = check_file(L);
  if (operation_is_deferred(L))
    return operation_start_taking(L, &(operation){.kind = &kind,
                                                  .object = &self->object,
                                                  .class = &modfs_file_class,
                                                  .path = modfs_file_name(self->object.handle)});
  file_end_here(self);
  lua_pushboolean(L, 1);
  return 1;
}

static int file_collect(lua_State *L) {
  file_object *self = object_test(L, 1, &modfs_file_class);
  if (self != NULL) file_end(self);
  return 0;
}

static int file_tostring(lua_State *L) {
  file_object *self = check_self(L, &modfs_file_class);
  if (self->object.handle == NULL) {
    lua_pushliteral(L, "modfs.File (closed)");
    return 1;
  }
  TF_Status *status = state_status(L);
  const modfs_codec *codec = modfs_file_codec(self->object.handle);
  if (codec != NULL) {
    lua_pushfstring(L, "modfs.File (%s, %s)", keep_name(L, self), modfs_codec_name(codec));
    return 1;
  }
  int64_t size = modfs_file_size(self->object.handle, status);
  char bytes[32] = "";
  if (TF_GetCode(status) == TF_OK) snprintf(bytes, sizeof bytes, ", %" PRId64 " bytes", size);
  lua_pushfstring(L, "modfs.File (%s%s)", keep_name(L, self), bytes);
  return 1;
}

void modfs_lua_open_file(lua_State *L) {
  class_new(L, &modfs_file_class,
            FUNCTIONS({"read", file_read}, {"lines", file_lines}, {"seek", file_seek},
                      {"pread", file_pread}, {"readinto", file_readinto}, {"size", file_size},
                      {"name", file_name}, {"close", file_close}),
            FUNCTIONS({"__gc", file_collect}, {"__tostring", file_tostring}));
  set_functions(L, FUNCTIONS({"lines", open_lines}));
}
