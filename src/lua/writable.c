#include "writable.h"

#include "collect.h"
#include "core/base/interruption.h"
#include "job.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Nobody has closed it. */
static void writable_drop(void *handle) {
  TF_Status *status = TF_NewStatus();
  if (status) modfs_writable_discard(handle, status);
  TF_DeleteStatus(status);
}

const modfs_class modfs_writable_class = {"modfs.WritableFile", "writable file", "file",
                                          sizeof(writable_object), writable_drop};

void writable_attach(void *block, modfs_writable *file) {
  writable_object *self = block;
  self->object.handle = file;
  self->opener = getpid();
}

void writable_finish(modfs_writable *file, TF_Status *status) {
  char message[4160];
  TF_Code code = TF_GetCode(status);
  if (code == TF_OK) {
    modfs_writable_close(file, status);
    return;
  }
  snprintf(message, sizeof message, "%s", TF_Message(status));
  modfs_writable_abort(file, status);
  TF_SetStatus(status, code, message);
}

/* Opening ------------------------------------------------------------------- */

static void open_run(operation *self, TF_Status *status) {
  self->made = modfs_writable_open(self->fs, self->path, (modfs_write_mode)self->mode, status);
}

int writable_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  writable_object *object = operation_push_made(L, self);
  object->opener = getpid();
  return 1;
}

static int start_opening(lua_State *L, const modfs_fs *fs, const char *path,
                         modfs_write_mode mode) {
  static const operation_kind kind = {open_run, writable_push, operation_end_made, true};
  return operation_perform(L, &(operation){.kind = &kind,
                                           .fs = fs,
                                           .path = path,
                                           .mode = (int)mode,
                                           .class = &modfs_writable_class});
}

int modfs_lua_writable_new(lua_State *L, const modfs_fs *fs, const char *path,
                           modfs_write_mode mode) {
  if (operation_is_deferred(L)) return start_opening(L, fs, path, mode);
  TF_Status *status = state_status(L);
  writable_object *self = object_new(L, &modfs_writable_class);
  modfs_writable *file = modfs_writable_open(fs, path, mode, status);
  if (file == NULL && collect_for_retry(L, status))
    file = modfs_writable_open(fs, path, mode, status);
  if (file == NULL) return push_failure(L, status);
  writable_attach(self, file);
  return 1;
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
  object_join(&self->object);
  modfs_writable *file = self->object.handle;
  self->object.handle = NULL;
  return file;
}

/* Writing ------------------------------------------------------------------- */

static void append(lua_State *L, const writable_object *self, int arg, TF_Status *status) {
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
  modfs_writable_append(handle_of(L, self), data, n, status);
}

/* One that must stay on this thread is performed at once. */
int writable_perform(lua_State *L, writable_object *self, operation *call) {
  call->object = &self->object;
  call->handle = self->object.handle;
  call->path = modfs_writable_name(call->handle);
  call->turn = OPERATION_ORDERED;
  if (!self->shared) return operation_perform(L, call);
  TF_Status *status = state_status(L);
  call->kind->run(call, status);
  return call->kind->push(L, call, status);
}

static void write_run(operation *self, TF_Status *status) {
  modfs_writable_append(self->handle, self->data, self->length, status);
}

/* Pushes all arguments from 2 on, one behind the other, if there are several. */
static int gather(lua_State *L, int last) {
  luaL_Buffer all;
  if (last == 2) return 2;
  luaL_buffinit(L, &all);
  for (int arg = 2; arg <= last; arg++) {
    size_t n;
    const char *data = check_bytes(L, arg, &n);
    luaL_addlstring(&all, data, n);
  }
  luaL_pushresult(&all);
  return lua_gettop(L);
}

/* For a job: returns the WritableFile, which its values keep. */
static int write_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_job_object(L, self->object);
  return 1;
}

static int start_writing(lua_State *L, const operation_kind *kind, int arg) {
  size_t n;
  const char *data = check_bytes(L, arg, &n);
  return writable_perform(L, check_open(L, &modfs_writable_class),
                          &(operation){.kind = kind, .data = data, .length = n, .data_index = arg});
}

static int writable_write(lua_State *L) {
  static const operation_kind kind = {write_run, write_push, NULL, false};
  const writable_object *self = check_open(L, &modfs_writable_class);
  const modfs_state *state = state_here(L);
  int last = lua_gettop(L);
  size_t n;
  /* All arguments are checked before the first byte is written, so that no call is done by half. */
  for (int arg = 2; last > 2 && arg <= last; arg++)
    if (!lua_isstring(L, arg)) check_bytes(L, arg, &n);
  if (!self->shared && last > 1 && state_is_deferred(L, state))
    return start_writing(L, &kind, gather(L, last));
  for (int arg = 2; arg <= last; arg++) {
    append(L, self, arg, state->status);
    if (TF_GetCode(state->status) != TF_OK) return push_failure(L, state->status);
  }
  lua_settop(L, 1);
  return 1;
}

static void tell_run(operation *self, TF_Status *status) {
  self->number = modfs_writable_tell(self->handle, status);
}

static int tell_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_length(L, self->path, self->number);
}

int writable_tell(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {tell_run, tell_push, NULL, true};
  return writable_perform(L, check_either(L), &(operation){.kind = &kind});
}

static void flush_run(operation *self, TF_Status *status) {
  modfs_writable_flush(self->handle, status);
}

int writable_flush(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {flush_run, operation_push_done, NULL, false};
  return writable_perform(L, check_either(L), &(operation){.kind = &kind});
}

static void sync_run(operation *self, TF_Status *status) {
  modfs_writable_sync(self->handle, status);
}

int writable_sync(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {sync_run, operation_push_done, NULL, false};
  return writable_perform(L, check_either(L), &(operation){.kind = &kind});
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

static void close_run(operation *self, TF_Status *status) {
  modfs_writable *file = self->made;
  self->made = NULL;
  modfs_writable_close(file, status);
}

static void abort_run(operation *self, TF_Status *status) {
  modfs_writable *file = self->made;
  self->made = NULL;
  modfs_writable_abort(file, status);
}

static int end_push(lua_State *L, operation *self, const TF_Status *status) {
  operation_give_back(self);
  return push_done(L, status);
}

static int end_writable(lua_State *L, const operation_kind *kind) {
  writable_object *self = check_either(L);
  TF_Status *status = state_status(L);
  operation call = {.kind = kind,
                    .object = &self->object,
                    .class = &modfs_writable_class,
                    .path = modfs_writable_name(self->object.handle)};
  if (!self->shared && operation_is_deferred(L)) return operation_start_taking(L, &call);
  call.made = writable_release(self);
  kind->run(&call, status);
  return push_done(L, status);
}

int writable_close(lua_State *L) {
  static const operation_kind kind = {close_run, end_push, operation_end_made, false};
  return end_writable(L, &kind);
}

int writable_abort(lua_State *L) {
  static const operation_kind kind = {abort_run, end_push, operation_end_made, false};
  return end_writable(L, &kind);
}

/* Of what the user has ended, nothing is published that is not yet: the failure says so. */
static void discard(lua_State *L, writable_object *self, TF_Status *status) {
  const modfs_state *state = lua_touserdata(L, lua_upvalueindex(1));
  bool wants = state->settles && !interruption_is_wanted();
  if (wants) interruption_want();
  modfs_writable_discard(writable_release(self), status);
  if (wants) interruption_allow();
}

/* No caller receives a failure here, so it becomes a warning; not in a forked child, where the
 * buffer is the parent's to write. A file that was not closed may be incomplete: an atomic one is
 * aborted. */
int writable_collect(lua_State *L) {
  writable_object *self = object_test(L, 1, class_of(L));
  if (self == NULL) return 0;
  object_join(&self->object);
  if (self->object.handle == NULL) return 0;
  TF_Status *own = state_gc_status(L) == NULL ? TF_NewStatus() : NULL;
  TF_Status *status = own != NULL ? own : state_gc_status(L);
  if (status == NULL) return 0;
  discard(L, self, status);
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
  if (!failing) handle_of(L, self);
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
  int64_t position = modfs_writable_tell(handle_of(L, self), status);
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
