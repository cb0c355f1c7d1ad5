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
