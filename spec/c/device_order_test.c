/* Lua states that made a device, what belongs to it and a copy under way are closed, for every order of
 * making. The device's plugin aborts when something is used after its end, ended twice, or outlives its
 * device (spec/fixtures/device_checker).
 *
 * Lua finds modfs through LUA_PATH and LUA_CPATH; the program runs in the root of the sources. */
#include <stdlib.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "check.h"

static char folder[] = "/tmp/modfs-order.XXXXXX";

/* Orders: calls visit with each arrangement of the numbers below count; returns how many there are. */
static size_t permute(int *order, int fixed, int count, void (*visit)(const int *order)) {
  size_t orders = 0;
  if (fixed == count) {
    visit(order);
    return 1;
  }
  for (int i = fixed; i < count; i++) {
    int swapped = order[fixed];
    order[fixed] = order[i];
    order[i] = swapped;
    orders += permute(order, fixed + 1, count, visit);
    order[i] = order[fixed];
    order[fixed] = swapped;
  }
  return orders;
}

static const char *const makers[] = {
    "memory = device:allocate(16)",
    "stream = device:stream()",
    "event = device:event()",
    "timer = device:timer()",
    "buffer = device:host_allocate(16)",
    "device = modfs.device 'CHECKED:0'", /* once more */
};

enum { MAKERS = sizeof makers / sizeof *makers };

static size_t states_failed;

/* lua_close ends first what was made last. */
static void close_in_order(const int *order) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  luaL_Buffer code;
  luaL_buffinit(L, &code);
  luaL_addstring(&code, "modfs = require 'modfs' device = modfs.device 'CHECKED:0'\n");
  for (int i = 0; i < MAKERS; i++) {
    luaL_addstring(&code, makers[order[i]]);
    luaL_addstring(&code, "\n");
  }
  luaL_addstring(&code, "device = modfs.device 'CHECKED:0'\n"
                        "assert(timer:start(stream))\n"
                        "assert(stream:copy(memory, ('x'):rep(16)):copy(buffer, memory))\n"
                        "assert(stream:record(event):wait(event):fill(memory, 1))\n"
                        "assert(stream:callback(function() error 'too late' end))\n"
                        "assert(timer:stop(stream))\n");
  luaL_pushresult(&code);
  if (luaL_dostring(L, lua_tostring(L, -1)) != 0) {
    check_note("%s", lua_tostring(L, -1));
    states_failed++;
  }
  lua_close(L);
}

static void test_lua(void) {
  int order[MAKERS] = {0, 1, 2, 3, 4, 5};
  CHECK_INT(permute(order, 0, MAKERS, close_in_order), 720, "every order of making, and lua_close");
  CHECK_INT(states_failed, 0, "in which everything worked");
}

/* What tells ThreadSanitizer that a thread has waited for another one are atomics of the plugin's. */
#ifdef __SANITIZE_THREAD__
#define INSTRUMENTED " -fsanitize=thread"
#else
#define INSTRUMENTED ""
#endif

/* The model of thread-local blocks: see tsan in the Makefile. */
static bool make_plugin(void) {
  char command[1024];
  snprintf(command, sizeof command,
           "${CC:-cc} -std=c11 -D_GNU_SOURCE -g -fPIC -fvisibility=hidden -shared -Iinclude"
           " -ftls-model=initial-exec" INSTRUMENTED
           " -DSE_InitPlugin=reference_init -Wl,--no-as-needed spec/fixtures/device_checker/*.c"
           " plugins/reference/*.c -o %s/checked.so"
           " ${BUILD:-build}/stub/libtensorflow_framework.so.2 -pthread",
           folder);
  return system(command) == 0;
}

/* What one state loads is loaded for all: they share core.so. */
static bool load_plugin(void) {
  char code[512];
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  snprintf(code, sizeof code, "assert(require 'modfs'.load('%s/checked.so', { trust = true }))",
           folder);
  bool good = luaL_dostring(L, code) == 0;
  if (!good) check_note("%s", lua_tostring(L, -1));
  lua_close(L);
  return good;
}

static void remove_folder(void) {
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) check_note("%s is left", folder);
}

int main(void) {
  setenv("MODFS_REFERENCE_LATENCY_NS", "2000", 1);
  if (CHECK(mkdtemp(folder) && make_plugin() && load_plugin(), "the checking plugin is loaded"))
    test_lua();
  remove_folder();
  return check_end();
}
