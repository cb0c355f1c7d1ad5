/* Every order in which a device, what is of it and a copy under way can end: by the calls of the core,
 * and by closing Lua states that made them in every order. The conformance runner is a plugin that aborts when
 * something is used after its end, ended twice, or outlives its device
 * (spec/fixtures/device_checker).
 *
 * Lua finds modfs through LUA_PATH and LUA_CPATH; the program runs in the root of the sources. */
#include <stdlib.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <modfs/device.h>

#include "check.h"

static char folder[] = "/tmp/modfs-order.XXXXXX";
static TF_Status *status;

static void must(const char *what) {
  if (TF_GetCode(status) == TF_OK) return;
  fprintf(stderr, "# %s: %s\n", what, TF_Message(status));
  abort();
}

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

/* The core ------------------------------------------------------------------------ */

enum { DEVICE, MEMORY, STREAM, EVENT, TIMER, BUFFER, COPY, ENDS };

typedef struct living {
  modfs_device *device;
  modfs_memory *memory;
  modfs_stream *stream;
  modfs_event *event;
  modfs_timer *timer;
  modfs_bytes *buffer;
} living;

static living make_all(void) {
  living all = {.device = modfs_device_open(modfs_platform_find("CHECKED"), 0, status)};
  must("open the device");
  all.memory = modfs_memory_allocate(all.device, 16, status);
  must("allocate");
  all.stream = modfs_stream_open(all.device, status);
  must("open a stream");
  all.event = modfs_event_open(all.device, status);
  must("open an event");
  all.timer = modfs_timer_open(all.device, status);
  must("open a timer");
  all.buffer = modfs_device_host_allocate(all.device, 16, status);
  must("allocate host memory");
  return all;
}

static void enqueue_all(living *all) {
  char *data = modfs_bytes_data(all->buffer);
  modfs_timer_start(all->timer, all->stream, status);
  must("start");
  modfs_stream_write(all->stream, all->memory, all->buffer, data, 16, status);
  must("write");
  modfs_stream_read(all->stream, all->buffer, data, all->memory, 16, status);
  must("read");
  modfs_stream_record(all->stream, all->event, status);
  must("record");
  modfs_stream_wait_event(all->stream, all->event, status);
  must("wait");
  modfs_timer_stop(all->timer, all->stream, status);
  must("stop");
}

static void end_one(living *all, int which) {
  switch (which) {
  case DEVICE:
    modfs_device_drop(all->device);
    break;
  case MEMORY:
    modfs_memory_free(all->memory);
    break;
  case STREAM:
    modfs_stream_close(all->stream);
    all->stream = NULL;
    break;
  case EVENT:
    modfs_event_close(all->event);
    break;
  case TIMER:
    modfs_timer_close(all->timer);
    break;
  case BUFFER:
    modfs_bytes_drop(all->buffer);
    break;
  default:
    if (all->stream) modfs_stream_synchronize(all->stream, status);
    must("synchronize");
    break;
  }
}

static void end_in_order(const int *order) {
  living all = make_all();
  enqueue_all(&all);
  for (int i = 0; i < ENDS; i++)
    end_one(&all, order[i]);
}

static void test_core(void) {
  int order[ENDS] = {DEVICE, MEMORY, STREAM, EVENT, TIMER, BUFFER, COPY};
  CHECK_INT(permute(order, 0, ENDS, end_in_order), 5040, "every order of seven ends");
}

/* Lua ------------------------------------------------------------------------------ */

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

/* ----------------------------------------------------------------------------------- */

/* The model of thread-local blocks: see tsan in the Makefile. */
static bool make_plugin(void) {
  char command[1024], path[256];
  snprintf(command, sizeof command,
           "${CC:-cc} -std=c11 -D_GNU_SOURCE -g -fPIC -fvisibility=hidden -shared -Iinclude"
           " -ftls-model=initial-exec"
           " -DSE_InitPlugin=reference_init -Wl,--no-as-needed spec/fixtures/device_checker/*.c"
           " plugins/reference/*.c -o %s/checked.so"
           " ${BUILD:-build}/stub/libtensorflow_framework.so.2 -pthread",
           folder);
  if (system(command) != 0) return false;
  snprintf(path, sizeof path, "%s/checked.so", folder);
  modfs_plugin_load(path, NULL, true, status);
  must("load");
  return true;
}

/* Each Lua state has the core in core.so, which is another one than this program's. */
static bool load_for_lua(void) {
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
  status = TF_NewStatus();
  if (!CHECK(mkdtemp(folder) && make_plugin(), "the conformance runner is built")) return check_end();
  test_core();
  if (CHECK(load_for_lua(), "the conformance runner is loaded by Lua")) test_lua();
  TF_DeleteStatus(status);
  remove_folder();
  return check_end();
}
