/* Driving the collector. There is no state here and nothing to free. Both functions may run any
 * finalizer, and so close any object and use the state's block: what a caller took from an object
 * or from the block before is to be taken again. A collector that the program has stopped is left
 * alone by collect_charge where Lua can tell (5.2 to 5.4); collect_for_retry runs it all the same,
 * as the call would fail otherwise. */
#include "collect.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* The kernel gives the lowest free descriptor: so where the last few below the limit are free, others
 * are, too, but for a program that closed just these. */
bool descriptors_are_few(void) {
  enum { FEW = 16 };
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur > INT_MAX) return false;
  int wanted = most.rlim_cur > FEW ? (int)most.rlim_cur - FEW : 0;
  int any = open("/", O_PATH | O_CLOEXEC);
  int last = any < 0 ? -1 : fcntl(any, F_DUPFD_CLOEXEC, wanted);
  if (last >= 0) close(last);
  if (any >= 0) close(any);
  return last != wanted;
}

void collect_for_descriptors(lua_State *L) {
  if (descriptors_are_few()) lua_gc(L, LUA_GCCOLLECT, 0);
}
