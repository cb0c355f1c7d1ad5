/* Functions of the module about processes. */
#include "runner_fs.h"

#include "check/runner/process.h"

#include <unistd.h>

/* descriptors() -> how many are open, how many of them survive exec. */
static int descriptors(lua_State *L) {
  size_t loose;
  lua_pushinteger(L, (lua_Integer)runner_descriptors(&loose));
  lua_pushinteger(L, (lua_Integer)loose);
  return 2;
}

/* environment() -> every NAME=value of this process. */
static int environment(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; environ && environ[i]; i++) {
    lua_pushstring(L, environ[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

enum { MOST_WORDS = 16 };

/* start{ program, word, … } -> its number, or nil. */
static int start(lua_State *L) {
  char *words[MOST_WORDS + 1] = {NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  for (int i = 0; i < MOST_WORDS; i++) {
    lua_rawgeti(L, 1, i + 1);
    words[i] = (char *)(uintptr_t)lua_tostring(L, -1); /* the table keeps it */
    lua_pop(L, 1);
    if (!words[i]) break;
  }
  long process = words[0] ? runner_start(words) : -1;
  if (process < 0) return 0;
  lua_pushinteger(L, process);
  return 1;
}

static int end_process(lua_State *L) {
  runner_kill((long)luaL_checkinteger(L, 1));
  return 0;
}

static int wait(lua_State *L) {
  lua_pushinteger(L, runner_wait((long)luaL_checkinteger(L, 1)));
  return 1;
}

static int rest(lua_State *L) {
  runner_rest(luaL_checknumber(L, 1));
  return 0;
}

static int stretch(lua_State *L) {
  lua_pushboolean(L, runner_stretch(luaL_checkstring(L, 1), (long long)luaL_checknumber(L, 2)));
  return 1;
}

const luaL_Reg runner_process_functions[] = {{"descriptors", descriptors},
                                             {"environment", environment},
                                             {"start", start},
                                             {"kill", end_process},
                                             {"wait", wait},
                                             {"rest", rest},
                                             {"stretch", stretch},
                                             {NULL, NULL}};
