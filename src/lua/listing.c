#include "operation.h"

#include <modfs/extension.h>
#include <string.h>

static void listing_release(void *handle) {
  modfs_listing_close(handle);
}

const modfs_class modfs_directory_class = {"modfs.Directory", "directory", "directory",
                                           sizeof(modfs_object), listing_release};

const char *kind_name(int kind) {
  static const char *const names[] = {[MODFS_KIND_FILE] = "file",
                                      [MODFS_KIND_DIRECTORY] = "directory",
                                      [MODFS_KIND_LINK] = "link",
                                      [MODFS_KIND_OTHER] = "other"};
  return kind >= MODFS_KIND_FILE && kind <= MODFS_KIND_OTHER ? names[kind] : NULL;
}

/* The fields of a stat that follow from the kind alone; for a link they do not. */
static void push_entry_stat(lua_State *L, int kind) {
  const char *name = kind_name(kind);
  if (!name) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, 0, 2);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "kind");
  if (kind == MODFS_KIND_LINK) return;
  lua_pushboolean(L, kind == MODFS_KIND_DIRECTORY);
  lua_setfield(L, -2, "is_directory");
}

static int listing_step(lua_State *L, modfs_object *self) {
  TF_Status *status = state_status(L);
  modfs_entry entry;
  if (modfs_listing_next(handle_of(L, self), &entry, status)) {
    push_text(L, entry.name);
    push_entry_stat(L, entry.kind);
    return 2;
  }
  object_end(self);
  if (TF_GetCode(status) != TF_OK) {
    push_failure(L, status);
    lua_pop(L, 1);
    return lua_error(L);
  }
  lua_pushnil(L);
  return 1;
}

/* The same for a job. */
static void next_run(operation *self, TF_Status *status) {
  modfs_entry entry;
  if (!modfs_listing_next(self->handle, &entry, status)) return;
  self->text = strdup(entry.name);
  self->mode = entry.kind;
  if (!self->text) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static int next_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) == TF_OK && self->text) {
    lua_pushstring(L, self->text);
    push_entry_stat(L, self->mode);
    return 2;
  }
  TF_Code code = TF_GetCode(status);
  if (code == TF_CANCELLED || code == TF_DEADLINE_EXCEEDED) return push_failure(L, status);
  object_end(self->object);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushnil(L);
  return 1;
}

static int directory_next(lua_State *L) {
  static const operation_kind kind = {next_run, next_push, operation_end_text, false};
  modfs_object *self = check_open(L, &modfs_directory_class);
  if (!operation_is_deferred(L)) return listing_step(L, self);
  return operation_perform(
      L, &(operation){
             .kind = &kind, .object = self, .handle = self->handle, .turn = OPERATION_ORDERED});
}

/* The iterator. The object is an upvalue, so that it may be called without arguments, too. */
static int directory_iterate(lua_State *L) {
  return listing_step(L, lua_touserdata(L, lua_upvalueindex(4)));
}

static void open_run(operation *self, TF_Status *status) {
  self->made = modfs_listing_open(self->fs, self->path, status);
}

/* Returns iterator, object, nil, object: a loop that is left early closes the object. */
static int open_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  operation_push_made(L, self);
  int object = lua_gettop(L);
  push_upvalues(L);
  lua_pushvalue(L, object);
  lua_pushcclosure(L, directory_iterate, 4);
  lua_pushvalue(L, object);
  lua_pushnil(L);
  if (COMPAT_HAS_CLOSE) lua_pushvalue(L, object);
  return COMPAT_FOR_VALUES;
}

static int directory_open(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {open_run, open_push, operation_end_made, true};
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .class = &modfs_directory_class});
}

void modfs_lua_open_listing(lua_State *L) {
  class_new(L, &modfs_directory_class, FUNCTIONS({"next", directory_next}, {"close", object_close}),
            FUNCTIONS({"__tostring", object_tostring}));
  set_functions(L, FUNCTIONS({"dir", directory_open}));
}
