/* Races of the conformance runner: race(plugin, scenario, root, seconds [, content]) -> checks,
 * failure, missing, called (the slots that succeeded). content: the content of the file at root, as far
 * as it was read. */
#include "runner_fs.h"

#include <string.h>

#include "check/runner/race.h"

static int race(lua_State *L) {
  lua_settop(L, 5);
  runner_race *race = compat_newuserdata(L, sizeof *race);
  memset(race, 0, sizeof *race);
  race->plugin = check_plugin(L);
  const char *name = luaL_checkstring(L, 2);
  race->root = luaL_checkstring(L, 3);
  race->seconds = luaL_optnumber(L, 4, 0.2);
  race->content = luaL_optlstring(L, 5, "", &race->length);
  if (!runner_race_run(race, name)) return luaL_error(L, "no such race: %s", name);
  lua_newtable(L);
  answer_integer(L, "checks", race->checks);
  if (race->failure[0]) answer_string(L, "failure", race->failure);
  if (race->missing) answer_string(L, "missing", race->missing);
  lua_newtable(L);
  for (size_t i = 0; i < race->called.count; i++) {
    lua_pushstring(L, race->called.names[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "called");
  return 1;
}

const luaL_Reg runner_race_methods[] = {{"race", race}, {NULL, NULL}};
