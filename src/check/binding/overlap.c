/* Overlapping calls of the conformance runner:
 *   plugin:overlap(k, { slot, path [, other] }, { slot, path [, other] })
 *     -> { first = code, second = code, fault = } once the first call was held at its point k;
 *        {} if it has fewer points, and the second one did not run; k = 0: one after the other
 *   plugin:has_slot(slot) -> whether the plugin has a slot that can be overlapped */
#include "runner_fs.h"

#include "check/runner/overlap.h"
#include "check/shim/shim.h"

static const char *field(lua_State *L, int arg, int index) {
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_rawgeti(L, arg, index);
  const char *text = lua_tostring(L, -1);
  lua_pop(L, 1); /* the table keeps it */
  return text;
}

static overlap_call check_call(lua_State *L, int arg) {
  overlap_call call = {
      .slot = field(L, arg, 1), .path = field(L, arg, 2), .other = field(L, arg, 3)};
  luaL_argcheck(L, call.slot && call.path, arg, "a slot and its paths expected");
  return call;
}

static int overlap(lua_State *L) {
  const runner_plugin *plugin = check_plugin(L);
  lua_Integer k = luaL_checkinteger(L, 2);
  overlap_call first = check_call(L, 3), second = check_call(L, 4);
  char fault[256];
  if (!runner_overlap_has(plugin, first.slot) || !runner_overlap_has(plugin, second.slot))
    return luaL_error(L, "the plugin lacks %s or %s", first.slot, second.slot);
  bool held = runner_overlap_run(plugin, (size_t)k, &first, &second);
  lua_newtable(L);
  if (&modfs_shim && modfs_shim.fault(false, fault, sizeof fault)) answer_fault(L, "%s", fault);
  if (!held) return 1;
  answer_code(L, "first", first.code);
  answer_code(L, "second", second.code);
  return 1;
}

static int has_slot(lua_State *L) {
  lua_pushboolean(L, runner_overlap_has(check_plugin(L), luaL_checkstring(L, 2)));
  return 1;
}

const luaL_Reg runner_overlap_methods[] = {
    {"overlap", overlap}, {"has_slot", has_slot}, {NULL, NULL}};
