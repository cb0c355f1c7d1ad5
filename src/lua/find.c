#include "binding.h"
#include "collect.h"

#include <string.h>

static const char module_key = 0;
static const char warned_key = 0;

void set_module(lua_State *L) {
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &module_key);
}

void push_module(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &module_key);
}

void warn_once(lua_State *L, const modfs_plugin *plugin) {
  const char *warning = modfs_plugin_warning(plugin);
  if (!warning) return;
  push_registry_table(L, &warned_key, "");
  lua_rawgetp(L, -1, plugin);
  bool again = lua_toboolean(L, -1);
  lua_pop(L, 1);
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, plugin);
  lua_pop(L, 1);
  if (!again) compat_warn(L, warning);
}

const char *push_plugin_path(lua_State *L) {
  push_module(L);
  lua_getfield(L, -1, "plugin_path");
  lua_remove(L, -2);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushfstring(L, "%s/?.so", modfs_plugin_directory());
  }
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "modfs.plugin_path: string expected, got %s", luaL_typename(L, -1));
  size_t length;
  const char *templates = lua_tolstring(L, -1, &length);
  if (strlen(templates) != length) luaL_error(L, "modfs.plugin_path: embedded NUL");
  return templates;
}

const modfs_fs *find_fs(lua_State *L, const char *path) {
  const modfs_fs *fs = modfs_fs_of(path);
  if (fs) return fs;
  TF_Status *status = state_status(L);
  const char *templates = push_plugin_path(L);
  const char *caller = function_name(L);
  fs = modfs_fs_search(path, templates, caller, status);
  if (!fs && collect_for_retry(L, status)) fs = modfs_fs_search(path, templates, caller, status);
  lua_pop(L, 1);
  if (!fs) return push_failure(L, status), NULL;
  warn_once(L, modfs_fs_plugin(fs));
  return fs;
}

const modfs_fs *check_path_fs(lua_State *L, int arg, const char **path) {
  *path = check_path(L, arg, NULL);
  return *path ? find_fs(L, *path) : NULL;
}

bool check_path_pair(lua_State *L, int first, path_pair *pair) {
  pair->src = check_path(L, first, NULL);
  pair->dst = pair->src ? check_path(L, first + 1, NULL) : NULL;
  pair->from = pair->dst ? find_fs(L, pair->src) : NULL;
  pair->to = pair->from ? find_fs(L, pair->dst) : NULL;
  return pair->to != NULL;
}

const modfs_fs *find_scheme(lua_State *L, const char *scheme_or_path) {
  const modfs_fs *fs = modfs_fs_find(scheme_or_path, strlen(scheme_or_path));
  if (fs) return fs;
  const char *uri = lua_pushfstring(L, "%s://", scheme_or_path);
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  bool is_scheme = parts.scheme_length == strlen(scheme_or_path);
  fs = find_fs(L, is_scheme ? uri : scheme_or_path);
  if (fs) lua_pop(L, 1); /* otherwise the string stays below the failure */
  return fs;
}
