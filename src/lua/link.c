#include "binding.h"

#include <modfs/extension.h>

static int link_symlink(lua_State *L) {
  const char *path, *target = check_path(L, 1, NULL);
  if (!target) return 3;
  const modfs_fs *fs = check_path_fs(L, 2, &path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_fs_create_link(fs, path, target, status);
  return push_done(L, status);
}

static int link_readlink(lua_State *L) {
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  char **target = guard_string(L);
  int guard = lua_gettop(L);
  *target = modfs_fs_read_link(fs, path, status);
  if (!*target) return push_failure(L, status);
  lua_pushstring(L, *target);
  guard_end(L, guard);
  return 1;
}

/* Where there are no links, or no entry, the answer is false. */
static bool is_none(TF_Code code) {
  return code == TF_NOT_FOUND || code == TF_FAILED_PRECONDITION || code == TF_UNIMPLEMENTED;
}

static int link_islink(lua_State *L) {
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  modfs_fs_lstat(fs, path, &attributes, status);
  TF_Code code = TF_GetCode(status);
  if (code != TF_OK && !is_none(code)) return push_failure(L, status);
  lua_pushboolean(L, code == TF_OK && attributes.kind == MODFS_KIND_LINK);
  return 1;
}

void modfs_lua_open_link(lua_State *L) {
  set_functions(L, FUNCTIONS({"symlink", link_symlink}, {"readlink", link_readlink},
                             {"islink", link_islink}));
}
