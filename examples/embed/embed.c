/* A program in C with Lua and modfs inside: both are linked in statically, several states run on
 * several threads, and plugins are still loaded from files. README.md says how to build it.
 *
 *   embed SCRIPT THREADS PLUGIN...
 *
 * runs the script in a state of its own on each thread, and once more when all have ended. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#ifndef MODFS_LUA
#define MODFS_LUA "lua"
#endif

enum { MOST_THREADS = 64 };

int luaopen_modfs_core(lua_State *L);

typedef struct job {
  pthread_t thread;
  const char *script;
  int number; /* from 1; 0: after all the others */
  int threads;
  char **plugins;
  int started;
  int failed; /* set by the thread alone */
} job;

/* A state whose modfs is the one in this program: no core.so is searched for. The Lua half of modfs
 * comes from files; MODFS_LUA is their folder. */
static lua_State *open_state(void) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  luaL_requiref(L, "modfs.core", luaopen_modfs_core, 0);
  lua_getglobal(L, "package");
  lua_pushliteral(L, MODFS_LUA "/?.lua;" MODFS_LUA "/?/init.lua");
  lua_setfield(L, -2, "path");
  lua_pushliteral(L, "");
  lua_setfield(L, -2, "cpath");
  lua_settop(L, 0);
  return L;
}

/* The script gets its number, how many threads there are, and the plugins. */
static int run_script(lua_State *L, const job *work) {
  int arguments = 2;
  if (luaL_loadfile(L, work->script) != LUA_OK) return 1;
  lua_pushinteger(L, work->number);
  lua_pushinteger(L, work->threads);
  for (char **plugin = work->plugins; *plugin; plugin++, arguments++)
    lua_pushstring(L, *plugin);
  return lua_pcall(L, arguments, 0, 0) != LUA_OK;
}

static void *run(void *argument) {
  job *work = argument;
  lua_State *L = open_state();
  work->failed = !L || run_script(L, work);
  if (work->failed) fprintf(stderr, "thread %d: %s\n", work->number, L ? lua_tostring(L, -1) : "");
  if (L) lua_close(L);
  return NULL;
}

int main(int argc, char **argv) {
  static job jobs[MOST_THREADS + 1];
  int threads = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0, failed = 0;
  if (threads < 1 || threads > MOST_THREADS) {
    fprintf(stderr, "usage: embed SCRIPT THREADS PLUGIN...\n");
    return 2;
  }
  for (int i = 0; i <= threads; i++)
    jobs[i] = (job){.script = argv[1], .number = i, .threads = threads, .plugins = argv + 3};
  for (int i = 1; i <= threads; i++)
    jobs[i].started = pthread_create(&jobs[i].thread, NULL, run, &jobs[i]) == 0;
  for (int i = 1; i <= threads; i++)
    if (jobs[i].started)
      pthread_join(jobs[i].thread, NULL);
    else
      failed = 1;
  run(&jobs[0]);
  for (int i = 0; i <= threads; i++)
    failed |= jobs[i].failed;
  return failed;
}
