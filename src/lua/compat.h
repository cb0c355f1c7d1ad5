/* The differences between Lua 5.1, LuaJIT, 5.2, 5.3 and 5.4; no other file tests LUA_VERSION_NUM.
 */
#ifndef MODFS_LUA_COMPAT_H
#define MODFS_LUA_COMPAT_H

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The name of the Lua that this is compiled for. */
#ifdef LUA_LJDIR
#define COMPAT_LUA "LuaJIT"
#else
#define COMPAT_LUA LUA_VERSION
#endif

#define COMPAT_HAS_INTEGERS (LUA_VERSION_NUM >= 503)
#define COMPAT_HAS_CLOSE (LUA_VERSION_NUM >= 504)

/* Whether lua_pushlstring copies before it may run finalizers. */
#define COMPAT_COPIES_FIRST (LUA_VERSION_NUM >= 503)

/* The number of values that a for loop takes: the fourth is closed when the loop is left. */
#define COMPAT_FOR_VALUES (COMPAT_HAS_CLOSE ? 4 : 3)

#if LUA_VERSION_NUM >= 502
#define compat_checkversion(L) luaL_checkversion(L)
#else
#define compat_checkversion(L) ((void)(L))
#endif

#if LUA_VERSION_NUM < 502
#define lua_rawlen(L, i) lua_objlen(L, i)

static inline int compat_absindex(lua_State *L, int index) {
  return index > 0 || index <= LUA_REGISTRYINDEX ? index : lua_gettop(L) + index + 1;
}
#define lua_absindex(L, i) compat_absindex(L, i)

static inline void compat_rawgetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_rawget(L, index);
}
#define lua_rawgetp(L, i, p) compat_rawgetp(L, i, p)

static inline void compat_rawsetp(lua_State *L, int index, const void *key) {
  index = lua_absindex(L, index);
  lua_pushlightuserdata(L, (void *)(uintptr_t)key);
  lua_insert(L, -2);
  lua_rawset(L, index);
}
#define lua_rawsetp(L, i, p) compat_rawsetp(L, i, p)
#endif

/* LuaJIT uses the default for any value that is no string. */
static inline int compat_checkoption(lua_State *L, int arg, const char *otherwise,
                                     const char *const names[]) {
  if (!lua_isnoneornil(L, arg)) luaL_checkstring(L, arg);
  return luaL_checkoption(L, arg, otherwise, names);
}

/* A userdata without user values. */
static inline void *compat_newuserdata(lua_State *L, size_t size) {
#if LUA_VERSION_NUM >= 504
  return lua_newuserdatauv(L, size, 0);
#else
  return lua_newuserdata(L, size);
#endif
}

/* Whether the user value of a userdata may be any value. */
#define COMPAT_ANY_USERVALUE (LUA_VERSION_NUM >= 503)

/* The one user value, mostly a table, of a userdata of compat_newuserdata_with_value. */
static inline void *compat_newuserdata_with_value(lua_State *L, size_t size) {
#if LUA_VERSION_NUM >= 504
  return lua_newuserdatauv(L, size, 1);
#else
  return lua_newuserdata(L, size);
#endif
}

/* Sets it to the value at the top of the stack, which is popped. */
static inline void compat_setvalue(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 504
  lua_setiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
  lua_setuservalue(L, index);
#else
  lua_setfenv(L, index);
#endif
}

static inline void compat_pushvalue(lua_State *L, int index) {
#if LUA_VERSION_NUM >= 504
  lua_getiuservalue(L, index, 1);
#elif LUA_VERSION_NUM >= 502
  lua_getuservalue(L, index);
#else
  lua_getfenv(L, index);
#endif
}

/* Whether the value is a number, or a string that reads as one, that is exactly an integer. */
static inline bool compat_tointeger(lua_State *L, int index, int64_t *value) {
#if COMPAT_HAS_INTEGERS
  int exact = 0;
  lua_Integer integer = lua_tointegerx(L, index, &exact);
  if (exact) *value = integer;
  return exact != 0;
#else
  if (!lua_isnumber(L, index)) return false;
  lua_Number number = lua_tonumber(L, index);
  if (!(fabs(number) <= 9007199254740992.0) || number != floor(number)) return false;
  *value = (int64_t)number;
  return true;
#endif
}

/* The same for nanoseconds: where Lua has no 64-bit integers any whole number will do, as those that
 * it gets are rounded, too. */
static inline bool compat_tonanoseconds(lua_State *L, int index, int64_t *value) {
#if COMPAT_HAS_INTEGERS
  return compat_tointeger(L, index, value);
#else
  if (!lua_isnumber(L, index)) return false;
  lua_Number number = lua_tonumber(L, index);
  if (!(fabs(number) < 9223372036854775808.0) || number != floor(number)) return false;
  *value = (int64_t)number;
  return true;
#endif
}

/* Whether Lua can represent the value exactly. */
static inline bool compat_integer_fits(int64_t value) {
#if COMPAT_HAS_INTEGERS
  (void)value;
  return true;
#else
  return value >= -(INT64_C(1) << 53) && value <= INT64_C(1) << 53;
#endif
}

/* The nearest number where Lua has no 64-bit integers. */
static inline void compat_pushinteger(lua_State *L, int64_t value) {
#if COMPAT_HAS_INTEGERS
  lua_pushinteger(L, value);
#else
  lua_pushnumber(L, (lua_Number)value);
#endif
}

/* table[key] without metamethods; seti pops the value at the top of the stack. Only integers up to that
 * of C are keys of Lua's own functions before 5.3. */
static inline void compat_rawgeti(lua_State *L, int table, int64_t key) {
#if LUA_VERSION_NUM >= 503
  lua_rawgeti(L, table, key);
#else
  table = lua_absindex(L, table);
  compat_pushinteger(L, key);
  lua_rawget(L, table);
#endif
}

static inline void compat_rawseti(lua_State *L, int table, int64_t key) {
#if LUA_VERSION_NUM >= 503
  lua_rawseti(L, table, key);
#else
  table = lua_absindex(L, table);
  compat_pushinteger(L, key);
  lua_insert(L, -2);
  lua_rawset(L, table);
#endif
}

/* Writes a number as io.write does; returns its length. LuaJIT rounds differently. */
static inline int compat_format_number(lua_State *L, int index, char *text, size_t size) {
#ifdef LUA_LJDIR
  lua_pushvalue(L, index);
  int length = snprintf(text, size, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
  return length;
#else
#if COMPAT_HAS_INTEGERS
  if (lua_isinteger(L, index)) {
    long long integer = lua_tointeger(L, index);
    return snprintf(text, size, "%lld", integer);
  }
#endif
  return snprintf(text, size, LUA_NUMBER_FMT, lua_tonumber(L, index));
#endif
}

/* Shows a warning for which there is no caller. Never raises. */
static inline void compat_warn(lua_State *L, const char *message) {
#if LUA_VERSION_NUM >= 504
  lua_warning(L, message, 0);
#else
  (void)L;
  fprintf(stderr, "Lua warning: %s\n", message);
#endif
}

#endif
