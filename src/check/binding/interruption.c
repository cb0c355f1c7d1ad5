/* The function that a host passes by accept_interruption: true from its n-th call on.
 *
 * The counts are atomics, because a plugin may ask on any of its threads. The function is the
 * process's, as a host's is: n is for all plugins. */
#include "runner_fs.h"

#include <stdatomic.h>
#include <time.h>

static atomic_llong asked, wanted; /* wanted 0: never */
static atomic_long since;          /* clock() when it was true first */

static bool is_wanted(void) {
  long long now = atomic_fetch_add(&asked, 1) + 1;
  long long from = atomic_load(&wanted);
  if (now == from) atomic_store(&since, (long)clock());
  return from > 0 && now >= from;
}

static int accept_interruption(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  if (!p->extension.accept_interruption) return 0;
  runner_enter();
  p->extension.accept_interruption(&p->fs, is_wanted);
  return call_end(L, NULL);
}

/* interrupt(n): is_wanted is true from its n-th call on, counted from now; 0: never. Returns how often
 * it was called before, and the CPU seconds of the process since it was true, 0 if it was not. */
int runner_interrupt(lua_State *L) {
  lua_Integer from = luaL_checkinteger(L, 1);
  long start = atomic_exchange(&since, 0);
  atomic_store(&wanted, 0);
  long long before = atomic_exchange(&asked, 0);
  atomic_store(&wanted, from);
  lua_pushinteger(L, (lua_Integer)before);
  lua_pushnumber(L, start ? (lua_Number)(clock() - start) / CLOCKS_PER_SEC : 0);
  return 2;
}

const luaL_Reg runner_interruption_methods[] = {{"accept_interruption", accept_interruption},
                                                {NULL, NULL}};
