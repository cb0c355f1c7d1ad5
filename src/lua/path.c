#include "binding.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/string_list.h"

/* modfs.path: works on text, without any filesystem. */

static int push_owned(lua_State *L, char **text) {
  if (!*text) raise_no_memory(L);
  lua_pushstring(L, *text);
  free(*text);
  *text = NULL;
  return 1;
}

/* A function of one text. */
#define TEXT_FUNCTION(name, call)                                                                  \
  static int path_##name(lua_State *L) {                                                           \
    const char *text = check_path(L, 1, NULL);                                                     \
    if (!text) return 3;                                                                           \
    char **result = guard_string(L);                                                               \
    *result = call(text);                                                                          \
    return push_owned(L, result);                                                                  \
  }
TEXT_FUNCTION(clean, modfs_path_clean_uri)
TEXT_FUNCTION(dirname, modfs_path_dirname)
TEXT_FUNCTION(basename, modfs_path_basename)
TEXT_FUNCTION(extension, modfs_path_extension)
TEXT_FUNCTION(stem, modfs_path_stem)
TEXT_FUNCTION(expanduser, modfs_path_expand_user)
TEXT_FUNCTION(escape, modfs_glob_escape)

/* The text, or the failure. */
static int push_result(lua_State *L, char **result, const TF_Status *status) {
  return *result ? push_owned(L, result) : push_failure(L, status);
}

static int path_absolute(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  TF_Status *status = state_status(L);
  char **result = guard_string(L);
  *result = modfs_path_absolute(path, status);
  return push_result(L, result, status);
}

static int path_relative(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  const char *base = check_path(L, 2, NULL);
  if (!base) return 3;
  TF_Status *status = state_status(L);
  char **result = guard_string(L);
  *result = modfs_path_relative(path, base, status);
  return push_result(L, result, status);
}

static int path_split(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (!path) return 3;
  char **part = guard_string(L);
  *part = modfs_path_dirname(path);
  push_owned(L, part);
  *part = modfs_path_basename(path);
  push_owned(L, part);
  return 2;
}

/* Appends the path at the top of the stack, and pops it; false after pushing the failure. */
static bool take_path(lua_State *L, int i, modfs_string_list *paths) {
  if (!lua_isstring(L, -1))
    arg_error(L, 1, "path #%d: string expected, got %s", i, luaL_typename(L, -1));
  size_t length;
  const char *path = lua_tolstring(L, -1, &length);
  if (strlen(path) != length) {
    push_failure_code(L, TF_INVALID_ARGUMENT, "%s %s: embedded NUL after byte %zu of path #%d",
                      function_name(L), path, strlen(path), i);
    return false;
  }
  if (!string_list_add(paths, path, length)) raise_no_memory(L);
  lua_pop(L, 1);
  return true;
}

static int path_commonpath(lua_State *L) {
  if (!lua_istable(L, 1)) type_error(L, 1, "table");
  modfs_string_list *paths = guard_names(L);
  char **result = guard_string(L);
  int count = (int)lua_rawlen(L, 1);
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, 1, i);
    if (!take_path(L, i, paths)) return 3;
  }
  TF_Status *status = state_status(L);
  *result = modfs_path_common(paths, status);
  return push_result(L, result, status);
}

static int path_parse(lua_State *L) {
  size_t length;
  const char *uri = check_path(L, 1, &length);
  if (!uri) return 3;
  modfs_path parts = modfs_path_parse(uri, length);
  lua_pushlstring(L, parts.scheme, parts.scheme_length);
  lua_pushlstring(L, parts.host, parts.host_length);
  lua_pushlstring(L, parts.path, parts.path_length);
  return 3;
}

static int path_join(lua_State *L) {
  int count = lua_gettop(L);
  for (int i = 1; i <= count; i++)
    if (!check_path(L, i, NULL)) return 3;
  char **result = guard_string(L);
  lua_pushliteral(L, "");
  if (count > 0) lua_pushvalue(L, 1);
  for (int i = 2; i <= count; i++) {
    *result = modfs_path_join(lua_tostring(L, -1), lua_tostring(L, i));
    push_owned(L, result);
    lua_remove(L, -2);
  }
  return 1;
}

/* A URI does not depend on a working directory. */
static int path_is_absolute(lua_State *L) {
  size_t length;
  const char *uri = check_path(L, 1, &length);
  if (!uri) return 3;
  modfs_path parts = modfs_path_parse(uri, length);
  bool rooted = parts.path_length > 0 && parts.path[0] == '/';
  lua_pushboolean(L, parts.scheme_length > 0 || rooted);
  return 1;
}

static int path_match(lua_State *L) {
  const char *name = check_path(L, 1, NULL);
  if (!name) return 3;
  const char *pattern = check_path(L, 2, NULL);
  if (!pattern) return 3;
  lua_pushboolean(L, modfs_glob_match(name, pattern));
  return 1;
}

void modfs_lua_open_path(lua_State *L) {
  set_functions(L, FUNCTIONS({"escape", path_escape}));
  lua_newtable(L);
  set_functions(L, FUNCTIONS({"parse", path_parse}, {"clean", path_clean}, {"join", path_join},
                             {"dirname", path_dirname}, {"basename", path_basename},
                             {"extension", path_extension}, {"is_absolute", path_is_absolute},
                             {"match", path_match}, {"stem", path_stem}, {"split", path_split},
                             {"relative", path_relative}, {"absolute", path_absolute},
                             {"expanduser", path_expanduser}, {"commonpath", path_commonpath}));
  lua_setfield(L, -2, "path");
}
