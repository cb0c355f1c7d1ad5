#include "binding.h"

#include <string.h>

/* The module functions that change or list trees. */

typedef void path_call(const modfs_fs *fs, const char *path, TF_Status *status);

static int call_path(lua_State *L, path_call *call) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  const modfs_fs *fs = find_fs(L, path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  call(fs, path, status);
  return push_done(L, status);
}

static int tree_mkdir(lua_State *L) {
  static const char *const options[] = {"private", NULL};
  check_options(L, 2, options);
  bool private = option_boolean(L, 2, "private", false);
  return call_path(L, private ? modfs_fs_create_private_dir : modfs_fs_create_dir);
}

static int tree_makedirs(lua_State *L) {
  return call_path(L, modfs_fs_recursively_create_dir);
}

static int tree_remove(lua_State *L) {
  return call_path(L, modfs_fs_delete_file);
}

static int tree_rmdir(lua_State *L) {
  return call_path(L, modfs_fs_delete_dir);
}

static int tree_rmtree(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  const modfs_fs *fs = find_fs(L, path);
  return fs ? delete_recursively(L, fs, path) : 3;
}

typedef void pair_call(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                       TF_Status *status);

static int call_pair(lua_State *L, pair_call *call) {
  const char *src = check_path(L, 1, NULL);
  if (!src) return 3;
  const char *dst = check_path(L, 2, NULL);
  if (!dst) return 3;
  const modfs_fs *from = find_fs(L, src);
  if (!from) return 3;
  const modfs_fs *to = find_fs(L, dst);
  if (!to) return 3;
  TF_Status *status = state_status(L);
  call(from, src, to, dst, status);
  return push_done(L, status);
}

static int tree_rename(lua_State *L) {
  return call_pair(L, modfs_rename);
}

static int tree_copy(lua_State *L) {
  return call_pair(L, modfs_copy);
}

typedef void names_call(const modfs_fs *fs, const char *path, modfs_names *names,
                        TF_Status *status);

static int call_names(lua_State *L, names_call *call, bool sorted) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  const modfs_fs *fs = find_fs(L, path);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_names *names = guard_names(L);
  int guard = lua_gettop(L);
  call(fs, path, names, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (sorted)
    push_names(L, names);
  else
    push_sorted(L, names);
  guard_end(L, guard);
  return 1;
}

static int tree_listdir(lua_State *L) {
  return call_names(L, modfs_fs_get_children, false);
}

static int tree_glob(lua_State *L) {
  return call_names(L, modfs_glob, true);
}

static int tree_flush_caches(lua_State *L) {
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs))
    modfs_fs_flush_caches(fs);
  lua_pushboolean(L, 1);
  return 1;
}

void modfs_lua_open_tree(lua_State *L) {
  static const luaL_Reg functions[] = {{"mkdir", tree_mkdir},
                                       {"makedirs", tree_makedirs},
                                       {"remove", tree_remove},
                                       {"rmdir", tree_rmdir},
                                       {"rmtree", tree_rmtree},
                                       {"rename", tree_rename},
                                       {"copy", tree_copy},
                                       {"listdir", tree_listdir},
                                       {"glob", tree_glob},
                                       {"flush_caches", tree_flush_caches},
                                       {NULL, NULL}};
  set_functions(L, functions);
}
