#include "file.h"

enum { LINES_FILE = 4, LINES_COUNT, LINES_FORMATS, MOST_FORMATS = 250 };

/* The fast path, without formats: most lines lie in the buffer as a whole. */
static bool push_buffered_line(lua_State *L) {
  const file_object *self = lua_touserdata(L, lua_upvalueindex(LINES_FILE));
  const char *data;
  size_t n;
  if (!COMPAT_COPIES_FIRST || self->input == NULL || self->object.strand != NULL ||
      !modfs_input_line(self->input, &data, &n))
    return false;
  lua_pushlstring(L, data, n - 1);
  return true;
}

/* The iterator; its own upvalues are the file, the number of formats, and the formats. At the end
 * it returns no value at all, like io's. */
static int next_lines(lua_State *L) {
  file_object *self = lua_touserdata(L, lua_upvalueindex(LINES_FILE));
  int count = (int)lua_tointeger(L, lua_upvalueindex(LINES_COUNT));
  file_handle(L, self);
  lua_settop(L, 0);
  if (count > 0) luaL_checkstack(L, count, "too many arguments");
  for (int i = 0; i < count; i++)
    lua_pushvalue(L, lua_upvalueindex(LINES_FORMATS + i));
  int results = read_formats(L, self, 1, count);
  if (!lua_isnil(L, -results)) return results;
  return results > 1 ? luaL_error(L, "%s", lua_tostring(L, 1 - results)) : 0;
}

static int next_lines_and_close(lua_State *L) {
  int results = next_lines(L);
  if (results == 0) file_end(lua_touserdata(L, lua_upvalueindex(LINES_FILE)));
  return results;
}

static int next_line(lua_State *L) {
  return push_buffered_line(L) ? 1 : next_lines(L);
}

static int next_line_and_close(lua_State *L) {
  return push_buffered_line(L) ? 1 : next_lines_and_close(L);
}

/* The arguments from 2 on are count formats. */
static void push_iterator(lua_State *L, lua_CFunction next, int file, int count) {
  luaL_checkstack(L, count + LUA_MINSTACK, "too many arguments");
  push_upvalues(L);
  lua_pushvalue(L, file);
  lua_pushinteger(L, count);
  for (int i = 0; i < count; i++)
    lua_pushvalue(L, 2 + i);
  lua_pushcclosure(L, next, LINES_COUNT + count);
}

static int count_formats(lua_State *L) {
  int count = lua_gettop(L) - 1;
  if (count > MOST_FORMATS) arg_error(L, MOST_FORMATS + 2, "too many arguments");
  return count;
}

int file_lines(lua_State *L) {
  check_file(L);
  int count = count_formats(L);
  if (!check_formats(L, 2, count)) return 3;
  push_iterator(L, count > 0 ? next_lines : next_line, 1, count);
  return 1;
}

/* Raises the message of the failure on the stack. */
static int raise_failure(lua_State *L) {
  return luaL_error(L, "%s", lua_tostring(L, -2));
}

int open_lines(lua_State *L) {
  const char *path = check_path(L, 1, NULL);
  if (path == NULL) return raise_failure(L);
  int count = count_formats(L);
  if (!check_formats(L, 2, count)) return raise_failure(L);
  const modfs_fs *fs = find_fs(L, path);
  if (fs == NULL || modfs_lua_file_new(L, fs, path) != 1) return raise_failure(L);
  int file = lua_gettop(L);
  push_iterator(L, count > 0 ? next_lines_and_close : next_line_and_close, file, count);
  lua_pushnil(L);
  lua_pushnil(L);
  if (COMPAT_HAS_CLOSE) lua_pushvalue(L, file);
  return COMPAT_FOR_VALUES;
}
