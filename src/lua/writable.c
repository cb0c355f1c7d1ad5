#include "collect.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct writable_object {
  modfs_object object; /* a modfs_writable */
  pid_t opener;
} writable_object;

const modfs_class modfs_writable_class = {
    .name = "modfs.WritableFile",
    .type = "writable file",
    .noun = "file",
    .size = sizeof(writable_object),
};

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

/* Ends the file for good before anything can go wrong. */
static modfs_writable *release(writable_object *self) {
  modfs_writable *file = self->object.handle;
  self->object.handle = NULL;
  return file;
}

/* Writing ------------------------------------------------------------------- */

/* As io writes them, which is not as tostring shows them. */
static int format_number(lua_State *L, int arg, char *text, size_t size) {
#if COMPAT_HAS_INTEGERS
  if (lua_isinteger(L, arg))
    return snprintf(text, size, LUA_INTEGER_FMT, (LUAI_UACINT)lua_tointeger(L, arg));
#endif
  return snprintf(text, size, LUA_NUMBER_FMT, lua_tonumber(L, arg));
}

static void append_number(lua_State *L, int arg, modfs_writable *file, TF_Status *status) {
  char text[64];
  int n = format_number(L, arg, text, sizeof text);
  modfs_writable_append(file, text, (size_t)n, status);
}

static void append(lua_State *L, int arg, modfs_writable *file, TF_Status *status) {
  size_t n;
  int type = lua_type(L, arg);
  const char *data = NULL;
  if (type == LUA_TSTRING)
    data = lua_tolstring(L, arg, &n);
  else if (type != LUA_TNUMBER)
    data = check_bytes(L, arg, &n);
  if (data != NULL)
    modfs_writable_append(file, data, n, status);
  else
    append_number(L, arg, file, status);
}

/* Before the first byte is written: a wrong argument leaves no half of a call behind. */
static void check_pieces(lua_State *L, int last) {
  size_t n;
  for (int arg = 2; arg <= last; arg++)
    if (!lua_isstring(L, arg)) check_bytes(L, arg, &n);
}

static int writable_write(lua_State *L) {
  modfs_writable *file = check_writable(L);
  TF_Status *status = state_status(L);
  int last = lua_gettop(L);
  if (last > 2) check_pieces(L, last);
  for (int arg = 2; arg <= last; arg++) {
    append(L, arg, file, status);
    if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  }
  lua_settop(L, 1);
  return 1;
}

static int writable_tell(lua_State *L) {
  modfs_writable *file = check_writable(L);
  TF_Status *status = state_status(L);
  int64_t position = modfs_writable_tell(file, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_integer(L, position);
  return 1;
}

static int writable_flush(lua_State *L) {
  modfs_writable *file = check_writable(L);
  TF_Status *status = state_status(L);
  modfs_writable_flush(file, status);
  return push_done(L, status);
}

static int writable_sync(lua_State *L) {
  modfs_writable *file = check_writable(L);
  TF_Status *status = state_status(L);
  modfs_writable_sync(file, status);
  return push_done(L, status);
}

/* A copy of the name that no finalizer can free; its value is pushed. */
static const char *keep_name(lua_State *L) {
  size_t size = strlen(modfs_writable_name(check_writable(L))) + 1;
  char *copy = scratch_take(L, size);
  return memcpy(copy, modfs_writable_name(check_writable(L)), size);
}

static int writable_name(lua_State *L) {
  lua_pushstring(L, keep_name(L));
  return 1;
}

/* The end ------------------------------------------------------------------- */

static int writable_close(lua_State *L) {
  writable_object *self = check_open(L, &modfs_writable_class);
  TF_Status *status = state_status(L);
  modfs_writable_close(release(self), status);
  return push_done(L, status);
}

static int writable_abort(lua_State *L) {
  writable_object *self = check_open(L, &modfs_writable_class);
  TF_Status *status = state_status(L);
  modfs_writable_abort(release(self), status);
  return push_done(L, status);
}

/* Nobody receives a failure here: it goes where warnings go. In a forked child there is none to
 * tell of: what is gathered is the parent's to write. What nobody closed is not whole: an atomic
 * file is given up. */
static int writable_collect(lua_State *L) {
  writable_object *self = object_test(L, 1, &modfs_writable_class);
  if (self == NULL || self->object.handle == NULL) return 0;
  TF_Status *own = state_gc_status(L) == NULL ? TF_NewStatus() : NULL;
  TF_Status *status = own != NULL ? own : state_gc_status(L);
  if (status == NULL) return 0;
  modfs_writable_abort(release(self), status);
  if (TF_GetCode(status) != TF_OK && self->opener == getpid()) warn_failure(L, status);
  TF_DeleteStatus(own);
  return 0;
}

/* An error on its way (the second argument) aborts; it must not be replaced by another. */
static int writable_leave(lua_State *L) {
  writable_object *self = object_test(L, 1, &modfs_writable_class);
  if (self == NULL || self->object.handle == NULL) return 0;
  TF_Status *status = state_status(L);
  bool failing = !lua_isnoneornil(L, 2);
  if (failing)
    modfs_writable_abort(release(self), status);
  else
    modfs_writable_close(release(self), status);
  if (TF_GetCode(status) == TF_OK) return 0;
  if (failing) {
    warn_failure(L, status);
    return 0;
  }
  push_failure(L, status);
  lua_pop(L, 1);
  return lua_error(L);
}

static int writable_tostring(lua_State *L) {
  writable_object *self = check_self(L, &modfs_writable_class);
  if (self->object.handle == NULL) {
    lua_pushliteral(L, "modfs.WritableFile (closed)");
    return 1;
  }
  TF_Status *status = state_status(L);
  int64_t position = modfs_writable_tell(self->object.handle, status);
  char bytes[32] = "";
  if (TF_GetCode(status) == TF_OK) snprintf(bytes, sizeof bytes, ", %" PRId64 " bytes", position);
  lua_pushfstring(L, "modfs.WritableFile (%s%s)", keep_name(L), bytes);
  return 1;
}

static const luaL_Reg writable_methods[] = {
    {"write", writable_write}, {"tell", writable_tell},
    {"flush", writable_flush}, {"sync", writable_sync},
    {"name", writable_name},   {"close", writable_close},
    {"abort", writable_abort}, {NULL, NULL},
};

static const luaL_Reg writable_metamethods[] = {
    {"__gc", writable_collect},
    {"__close", writable_leave},
    {"__tostring", writable_tostring},
    {NULL, NULL},
};

void modfs_lua_open_writable(lua_State *L) {
  class_new(L, &modfs_writable_class, writable_methods, writable_metamethods);
}
