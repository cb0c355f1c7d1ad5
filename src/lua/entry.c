/* The functions of the drop-ins as C functions, since Lua's error messages depend on the function
 * that raises them. When a body in Lua returns the refusal, an argument's number and a text, the C
 * function raises as io's own would: in the words of this Lua, at the position of the call. */
#include "binding.h"

static char refusal;

/* An argument's number; 0 for an error about no argument, -1 for a value to be raised as it is. */
static int raise_refusal(lua_State *L) {
  int arg = (int)lua_tointeger(L, 2);
  lua_settop(L, 3);
  if (arg > 0) return luaL_argerror(L, arg, lua_tostring(L, 3));
  if (arg < 0) return lua_error(L);
  luaL_where(L, 1);
  lua_insert(L, 3);
  lua_concat(L, 2);
  return lua_error(L);
}

static int entry_call(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  if (lua_touserdata(L, 1) == &refusal) return raise_refusal(L);
  return lua_gettop(L);
}

static int entry_new(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_pushcclosure(L, entry_call, 1);
  return 1;
}

void modfs_lua_open_entry(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_newtable(L);
  set_functions(L, FUNCTIONS({"new", entry_new}));
  lua_pushlightuserdata(L, &refusal);
  lua_setfield(L, -2, "refusal");
  lua_setfield(L, -2, "modfs.entry");
  lua_pop(L, 1);
}
