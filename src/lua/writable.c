#include "writable.h"

#include "collect.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

const modfs_class modfs_writable_class = {"modfs.WritableFile", "writable file", "file",
                                          sizeof(writable_object), NULL};

void writable_attach(void *block, modfs_writable *file) {
  writable_object *self = block;
  self->object.handle = file;
  self->opener = getpid();
}

int modfs_lua_writable_new(lua_State *L, const modfs_fs *fs, const char *path,
                           modfs_write_mode mode) {
  TF_Status *status = state_status(L);
  writable_object *self = object_new(L, &modfs_writable_class);
  modfs_writable *file = modfs_writable_open(fs, path, mode, status);
  if (file == NULL && collect_for_retry(L, status))
    file = modfs_writable_open(fs, path, mode, status);
  if (file == NULL) return push_failure(L, status);
  writable_attach(self, file);
  return 1;
}

static modfs_writable *check_writable(lua_State *L) {
  writable_object *self = check_open(L, &modfs_writable_class);
  return self->object.handle;
}

/* Accepts a record writer, too: it is a WritableFile with a write of its own. */
static const modfs_class *class_of(lua_State *L) {
  return object_test(L, 1, &modfs_record_writer_class) != NULL ? &modfs_record_writer_class
                                                               : &modfs_writable_class;
}

static writable_object *check_either(lua_State *L) {
  return check_open(L, class_of(L));
}

static modfs_writable *check_handle(lua_State *L) {
  return check_either(L)->object.handle;
}

/* Closes the object before anything can raise. */
modfs_writable *writable_release(writable_object *self) {
  modfs_writable *file = self->object.handle;
  self->object.handle = NULL;
  return file;
}

/* Writing ------------------------------------------------------------------- */

static void append(lua_State *L, int arg, TF_Status *status) {
  size_t n;
  int type = lua_type(L, arg);
  const char *data = NULL;
  if (type == LUA_TSTRING)
    data = lua_tolstring(L, arg, &n);
  else if (type != LUA_TNUMBER)
    data = check_bytes(L, arg, &n);
  char text[64];
  if (data == NULL) {
    n = (size_t)compat_format_number(L, arg, text, sizeof text);
    data = text;
  }
  modfs_writable_append(check_writable(L), data, n, status);
}

static int writable_write(lua_State *L) {
  check_writable(L);
  TF_Status *status = state_status(L);
  int last = lua_gettop(L);
  size_t n;
  /* All arguments are checked before the first byte is written, so that no call is done by half. */
  for (int arg = 2; last > 2 && arg <= last; arg++)
    if (!lua_isstring(L, arg)) check_bytes(L, arg, &n);
  for (int arg = 2; arg <= last; arg++) {
    append(L, arg, status);
    if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  }
  lua_settop(L, 1);
  return 1;
}

int writable_tell(lua_State *L) {
  modfs_writable *file = check_handle(L);
  TF_Status *status = state_status(L);
  int64_t position = modfs_writable_tell(file, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_length(L, modfs_writable_name(file), position);
}

int writable_flush(lua_State *L) {
  modfs_writable *file = check_handle(L);
  TF_Status *status = state_status(L);
  modfs_writable_flush(file, status);
  return push_done(L, status);
}

int writable_sync(lua_State *L) {
  modfs_writable *file = check_handle(L);
  TF_Status *status = state_status(L);
  modfs_writable_sync(file, status);
  return push_done(L, status);
}

/* A copy of the name that no finalizer can free; its value is pushed. */
static const char *keep_name(lua_State *L) {
  size_t size = strlen(modfs_writable_name(check_handle(L))) + 1;
  char *copy = scratch_take(L, size);
  return memcpy(copy, modfs_writable_name(check_handle(L)), size);
}

int writable_name(lua_State *L) {
  lua_pushstring(L, keep_name(L));
  return 1;
}

/* The end ------------------------------------------------------------------- */

int writable_close(lua_State *L) {
  writable_object *self = check_either(L);
  TF_Status *status = state_status(L);
  modfs_writable_close(writable_release(self), status);
  return push_done(L, status);
}

int writable_abort(lua_State *L) {
  writable_object *self = check_either(L);
  TF_Status *status = state_status(L);
  modfs_writable_abort(writable_release(self), status);
  return push_done(L, status);
}

/* No caller receives a failure here, so it becomes a warning; not in a forked child, where the
 * buffer is the parent's to write. A file that was not closed may be incomplete: an atomic one is
 * aborted. */
int writable_collect(lua_State *L) {
  writable_object *self = object_test(L, 1, class_of(L));
  if (self == NULL || self->object.handle == NULL) return 0;
  TF_Status *own = state_gc_status(L) == NULL ? TF_NewStatus() : NULL;
  TF_Status *status = own != NULL ? own : state_gc_status(L);
  if (status == NULL) return 0;
  modfs_writable_discard(writable_release(self), status);
  if (TF_GetCode(status) != TF_OK && self->opener == getpid()) warn_failure(L, status);
  TF_DeleteStatus(own);
  return 0;
}

/* An error in flight (the second argument) aborts the file, and must not be replaced by another. */
int writable_leave(lua_State *L) {
  writable_object *self = object_test(L, 1, class_of(L));
  if (self == NULL || self->object.handle == NULL) return 0;
  TF_Status *status = state_status(L);
  bool failing = !lua_isnoneornil(L, 2);
  if (failing)
    modfs_writable_abort(writable_release(self), status);
  else
    modfs_writable_close(writable_release(self), status);
  if (TF_GetCode(status) == TF_OK) return 0;
  if (failing) {
    warn_failure(L, status);
    return 0;
  }
  push_failure(L, status);
  lua_pop(L, 1);
  return lua_error(L);
}

int writable_tostring(lua_State *L) {
  writable_object *self = check_self(L, class_of(L));
  if (self->object.handle == NULL) {
    lua_pushfstring(L, "%s (closed)", self->object.class->name);
    return 1;
  }
  TF_Status *status = state_status(L);
  int64_t position = modfs_writable_tell(self->object.handle, status);
  char bytes[32] = "";
  if (TF_GetCode(status) == TF_OK) snprintf(bytes, sizeof bytes, ", %" PRId64 " bytes", position);
  lua_pushfstring(L, "%s (%s%s)", self->object.class->name, keep_name(L), bytes);
  return 1;
}

void modfs_lua_open_writable(lua_State *L) {
  class_new(L, &modfs_writable_class,
            FUNCTIONS({"write", writable_write}, {"tell", writable_tell}, {"flush", writable_flush},
                      {"sync", writable_sync}, {"name", writable_name}, {"close", writable_close},
                      {"abort", writable_abort}),
            FUNCTIONS({"__gc", writable_collect}, {"__close", writable_leave},
                      {"__tostring", writable_tostring}));
}
