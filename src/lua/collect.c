/* Driving the collector. There is no state here and nothing to free. Both functions may run any
 * finalizer, and so close any object and use the state's block: what a caller took from an object
 * or from the block before is to be taken again. A collector that the program has stopped is left
 * alone by collect_charge where Lua can tell (5.2 to 5.4); collect_for_retry runs it all the same,
 * as the call would fail otherwise. */
#include "collect.h"

static bool gc_is_running(lua_State *L) {
#ifdef LUA_GCISRUNNING
  return lua_gc(L, LUA_GCISRUNNING, 0);
#else
  (void)L;
  return true;
#endif
}

void collect_charge(lua_State *L, size_t bytes) {
  enum { MOST_KIB = 1024 * 1024 };
  size_t kib = bytes / 1024;
  if (kib == 0 || !gc_is_running(L)) return;
  lua_gc(L, LUA_GCSTEP, kib < MOST_KIB ? (int)kib : MOST_KIB);
}

bool collect_for_retry(lua_State *L, const TF_Status *status) {
  if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED) return false;
  lua_gc(L, LUA_GCCOLLECT, 0);
  return true;
}
