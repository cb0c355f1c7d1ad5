/* Eight threads with a Lua state each, all in modfs at once: loading the same plugins, opening,
 * reading, writing, listing, watching each other's files. Made for ThreadSanitizer. Each thread opens
 * and closes its state several times, while the others go on.
 *
 * Lua finds modfs through LUA_PATH and LUA_CPATH; the program runs in the root of the sources. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "check.h"

enum { THREADS = 8, STATES = 3, PLUGINS = 6 };

static char folder[] = "/tmp/modfs-threads.XXXXXX";
static pthread_barrier_t together;

static const char script[] = "dofile 'spec/children/threads.lua'";

/* Runs code in a fresh state; the message of its failure, or "". */
static void run_state(const char *code, int id, char *failure, size_t size) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_pushinteger(L, id);
  lua_setglobal(L, "id");
  lua_pushinteger(L, PLUGINS);
  lua_setglobal(L, "plugins");
  lua_pushstring(L, folder);
  lua_setglobal(L, "folder");
  *failure = '\0';
  if (luaL_dostring(L, code) != 0) snprintf(failure, size, "%s", lua_tostring(L, -1));
  lua_close(L);
}

typedef struct worker {
  pthread_t thread;
  int id;
  char failure[1024];
} worker;

static void *work(void *argument) {
  worker *self = argument;
  pthread_barrier_wait(&together);
  for (int i = 0; i < STATES && !*self->failure; i++)
    run_state(script, self->id, self->failure, sizeof self->failure);
  return NULL;
}

/* Builds the two plugins and puts copies of the first under the names that the script uses. */
static bool make_plugins(void) {
  char command[4096];
  snprintf(
      command, sizeof command,
      "set -e; cc=\"${CC:-cc} -std=c11 -D_GNU_SOURCE -g -fPIC -fvisibility=hidden -shared"
      " -Iinclude -Wl,--no-as-needed\"; stub=${BUILD:-build}/stub/libtensorflow_framework.so.2;"
      "mkdir %s/shared;"
      "$cc spec/fixtures/broken/*.c -o %s/good.so $stub;"
      "$cc spec/fixtures/checker/checker.c -o %s/checker.so $stub;"
      "for n in $(seq 0 %d); do cp %s/good.so %s/good.thread.$n.so; done",
      folder, folder, folder, PLUGINS - 1, folder, folder);
  return system(command) == 0;
}

static void remove_folder(void) {
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) check_note("%s is left", folder);
}

static void run_threads(void) {
  worker workers[THREADS];
  pthread_barrier_init(&together, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.id = i};
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    CHECK_STR(workers[i].failure, "", "thread %d: %d states one after the other", i, STATES);
  }
  pthread_barrier_destroy(&together);
}

int main(void) {
  char failure[1024];
  if (!CHECK(mkdtemp(folder) && make_plugins(), "the plugins are built")) return check_end();
  run_threads();
  run_state("for name, count in pairs(require('modfs').config 'checker') do\n"
            "  assert(count == 0, name)\n"
            "end",
            0, failure, sizeof failure);
  CHECK_STR(failure, "", "nothing is left open in the plugin");
  run_state("local modfs = require 'modfs'\n"
            "assert(#modfs.plugins() == plugins + 3)\n"
            "assert(table.concat(modfs.listdir 'mem://', ' ') == 'shared')\n"
            "assert(table.concat(modfs.listdir 'mem://shared', ' ') == 'file')\n"
            "assert(table.concat(modfs.listdir(folder .. '/shared'), ' ') == 'file')\n",
            0, failure, sizeof failure);
  CHECK_STR(failure, "", "each plugin is there once, and each tree as it was left");
  remove_folder();
  return check_end();
}
