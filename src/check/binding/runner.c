/* modfs.runner, the conformance runner's access to a plugin's slots, which no public function
 * offers. Not for scripts: a plugin's error here may end the process. */
#include "runner.h"

#include <modfs/modfs.h>

#include <stdio.h>
#include <string.h>

/* Objects ------------------------------------------------------------------------------ */

void *runner_lend(lua_State *L, size_t size, const char *class) {
  void *block = compat_newuserdata(L, size);
  memset(block, 0, size);
  luaL_getmetatable(L, class);
  lua_setmetatable(L, -2);
  return block;
}

void *runner_new(lua_State *L, size_t size, const char *class) {
  void *block = runner_lend(L, size, class);
  lua_pushvalue(L, -1);
  luaL_ref(L, LUA_REGISTRYINDEX);
  return block;
}

void runner_register(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    lua_pushcfunction(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

void runner_class(lua_State *L, const char *class, const luaL_Reg *methods) {
  luaL_newmetatable(L, class);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  runner_register(L, methods);
  lua_pop(L, 1);
}

int runner_number(lua_State *L, const char *class) {
  luaL_getmetatable(L, class);
  lua_getfield(L, -1, "count");
  int number = (int)lua_tonumber(L, -1) + 1;
  lua_pushinteger(L, number);
  lua_setfield(L, -3, "count");
  lua_pop(L, 2);
  return number;
}

int64_t runner_integer(lua_State *L, int arg) {
  int64_t value = 0;
  if (!compat_tointeger(L, arg, &value)) luaL_argerror(L, arg, "an integer expected");
  return value;
}

void answer_integer(lua_State *L, const char *key, int64_t value) {
  compat_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

void answer_string(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

/* Statuses ------------------------------------------------------------------------------ */

static const char status_key[] = "modfs.runner.status";

static int end_status(lua_State *L) {
  TF_Status **status = lua_touserdata(L, 1);
  TF_DeleteStatus(*status);
  *status = NULL;
  return 0;
}

static void make_status(lua_State *L) {
  TF_Status **status = compat_newuserdata(L, sizeof *status);
  *status = NULL;
  lua_newtable(L);
  lua_pushcfunction(L, end_status);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  *status = TF_NewStatus();
  lua_rawsetp(L, LUA_REGISTRYINDEX, status_key);
}

TF_Status *runner_status(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, status_key);
  TF_Status **status = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (!status || !*status) luaL_error(L, "no status");
  TF_SetStatus(*status, TF_OK, "");
  return *status;
}

int runner_failure(lua_State *L, TF_Code code, const char *message) {
  lua_pushnil(L);
  lua_pushfstring(L, "%s: %s", modfs_code_name(code), message);
  lua_pushstring(L, modfs_code_name(code));
  return 3;
}

int runner_answer(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return runner_failure(L, TF_GetCode(status), TF_Message(status));
  lua_pushboolean(L, 1);
  return 1;
}

__attribute__((visibility("default"))) extern int luaopen_modfs_runner(lua_State *L);

int luaopen_modfs_runner(lua_State *L) {
  compat_checkversion(L);
  make_status(L);
  lua_newtable(L);
  runner_open_host(L);
  runner_open_device(L);
  runner_open_fs(L);
  return 1;
}
