/* A host of Lua states, for tests in C: Lua finds modfs through LUA_PATH and LUA_CPATH. */
#ifndef LUA_HOST_H
#define LUA_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

enum { FAILURE_SIZE = 256 };

static inline lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  return L;
}

/* What went wrong, or "". */
static inline const char *run(lua_State *L, const char *code) {
  return luaL_dostring(L, code) == 0 ? "" : lua_tostring(L, -1);
}

#ifndef __SANITIZE_THREAD__ /* it has no threads after a fork */

/* Waits for its parent's SIGKILL: what belongs to the parent is no leak of the child's, but leak checkers would
 * report it at any end of the child's own. */
__attribute__((noreturn)) static inline void be_child(lua_State *L, const char *code, bool closes,
                                                      int output) {
  char failure[FAILURE_SIZE];
  alarm(100);
  snprintf(failure, sizeof failure, "%s", run(L, code));
  if (closes) lua_close(L);
  if (write(output, failure, sizeof failure) < 0) abort();
  for (;;)
    pause();
}

/* Runs the code in the child of a fork, which closes the state afterwards if asked to. What went wrong there,
 * or "". */
static inline void run_child(lua_State *L, const char *code, bool closes,
                             char failure[FAILURE_SIZE]) {
  int ends[2];
  snprintf(failure, FAILURE_SIZE, "%s", "no word from the child");
  if (pipe(ends) != 0) return;
  pid_t process = fork();
  if (process < 0) abort();
  if (process == 0) be_child(L, code, closes, ends[1]);
  close(ends[1]);
  if (read(ends[0], failure, FAILURE_SIZE) < 0)
    snprintf(failure, FAILURE_SIZE, "%s", "the pipe cannot be read");
  close(ends[0]);
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

#endif
#endif
