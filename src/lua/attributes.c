#include "binding.h"

#include <modfs/extension.h>

/* Omitted where Lua cannot represent the number: a rounded one would name another entry. */
static void set_number(lua_State *L, const char *name, uint64_t value) {
  if (value > INT64_MAX || !compat_integer_fits((int64_t)value)) return;
  push_integer(L, (int64_t)value);
  lua_setfield(L, -2, name);
}

static void set_owner(lua_State *L, const modfs_attributes *attributes) {
  if (attributes->mode == 0 && attributes->device == 0) return;
  set_number(L, "mode", attributes->mode);
  set_number(L, "owner", attributes->owner);
  set_number(L, "group", attributes->group);
}

static void set_identity(lua_State *L, const modfs_attributes *attributes) {
  if (attributes->links > 0) set_number(L, "links", attributes->links);
  if (attributes->device == 0 && attributes->inode == 0) return;
  set_number(L, "device", attributes->device);
  set_number(L, "inode", attributes->inode);
}

static int attributes_lstat(lua_State *L) {
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  modfs_fs_lstat(fs, path, &attributes, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  TF_FileStatistics stats = {attributes.length, attributes.mtime_nsec,
                             attributes.kind == MODFS_KIND_DIRECTORY};
  int results = push_stat(L, path, &stats);
  if (results > 1) return results;
  lua_pushstring(L, kind_name(attributes.kind));
  lua_setfield(L, -2, "kind");
  set_owner(L, &attributes);
  set_identity(L, &attributes);
  return 1;
}

void modfs_lua_open_attributes(lua_State *L) {
  set_functions(L, FUNCTIONS({"lstat", attributes_lstat}));
}
