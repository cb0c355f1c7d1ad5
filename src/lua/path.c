#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* modfs.path: works on text alone, without any filesystem. */

static int push_owned(lua_State *L, char **text) {
  if (!*text) raise_no_memory(L);
  lua_pushstring(L, *text);
  free(*text);
  *text = NULL;
  return 1;
}

/* Keeps scheme and host of a URI: the rest begins with a slash and does not become longer. */
static char *clean_uri(const char *uri) {
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  if (parts.scheme_length == 0) return modfs_path_clean(uri);
  if (parts.path_length == 0) return strdup(uri);
  char *clean = modfs_path_clean(parts.path), *out = clean ? strdup(uri) : NULL;
  if (out) stpcpy(out + (parts.path - uri), clean);
  free(clean);
  return out;
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
TEXT_FUNCTION(clean, clean_uri)
TEXT_FUNCTION(dirname, modfs_path_dirname)
TEXT_FUNCTION(basename, modfs_path_basename)
TEXT_FUNCTION(extension, modfs_path_extension)
TEXT_FUNCTION(escape, modfs_glob_escape)

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
                             {"match", path_match}));
  lua_setfield(L, -2, "path");
}
