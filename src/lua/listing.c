#include "binding.h"

#include <modfs/extension.h>

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
  if (modfs_listing_next(self->handle, &entry, status)) {
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

static int directory_next(lua_State *L) {
  return listing_step(L, check_open(L, &modfs_directory_class));
}

/* The iterator. The object is an upvalue, so that it may be called without arguments, too. */
static int directory_iterate(lua_State *L) {
  modfs_object *self = lua_touserdata(L, lua_upvalueindex(4));
  if (!self->handle) return luaL_error(L, "attempt to use a closed directory");
  return listing_step(L, self);
}

/* Returns iterator, object, nil, object: a loop that is left early closes the object. */
static int directory_open(lua_State *L) {
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_object *self = object_new(L, &modfs_directory_class);
  int object = lua_gettop(L);
  self->handle = modfs_listing_open(fs, path, status);
  if (!self->handle) return push_failure(L, status);
  push_upvalues(L);
  lua_pushvalue(L, object);
  lua_pushcclosure(L, directory_iterate, 4);
  lua_pushvalue(L, object);
  lua_pushnil(L);
  if (COMPAT_HAS_CLOSE) lua_pushvalue(L, object);
  return COMPAT_FOR_VALUES;
}

void modfs_lua_open_listing(lua_State *L) {
  class_new(L, &modfs_directory_class, FUNCTIONS({"next", directory_next}, {"close", object_close}),
            FUNCTIONS({"__tostring", object_tostring}));
  set_functions(L, FUNCTIONS({"dir", directory_open}));
}
