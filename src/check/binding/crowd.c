/* Several threads that use one device. */
#include <stdlib.h>

#include "device.h"
#include "check/runner/device_threads.h"

enum { PATIENCE = 8 };

static void *field_pointer(lua_State *L, int table, const char *key, const char *class) {
  lua_getfield(L, table, key);
  void *pointer = lua_isnil(L, -1) ? NULL : runner_check_handle(L, -1, class);
  lua_pop(L, 1);
  return pointer;
}

static int field_integer(lua_State *L, int table, const char *key) {
  lua_getfield(L, table, key);
  int value = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return value;
}

/* Callbacks that were enqueued one after another must have run in that order. */
static const char *look_at_turns(runner_crowd *crowd) {
  for (int i = 0; i < crowd->next; i++) {
    if (!runner_call_await(&crowd->calls[i], 1, PATIENCE)) return "a callback has not run";
    if (atomic_load(&crowd->calls[i].ended) > 1) return "a callback has run more than once";
    if (i > 0 && atomic_load(&crowd->calls[i].order) < atomic_load(&crowd->calls[i - 1].order))
      return "a callback has run before the one that came before it";
  }
  return NULL;
}

static int answer(lua_State *L, runner_crowd *crowd) {
  const char *turns = atomic_load(&crowd->failed) ? crowd->message : look_at_turns(crowd);
  if (turns) return runner_failure(L, TF_INTERNAL, turns);
  lua_pushinteger(L, (lua_Integer)atomic_load(&crowd->steps));
  compat_pushinteger(L, crowd->grown);
  return 2;
}

/* device:crowd{ scene =, threads =, rounds =, stream =, event = } -> steps that were checked, and
 * by how many bytes the heap has grown */
static int slot_crowd(lua_State *L) {
  runner_device *device = runner_check_device(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  int threads = field_integer(L, 2, "threads"), rounds = field_integer(L, 2, "rounds");
  void *stream = field_pointer(L, 2, "stream", runner_stream_class);
  void *event = field_pointer(L, 2, "event", runner_event_class);
  lua_getfield(L, 2, "scene");
  const char *scene = luaL_checkstring(L, -1);
  runner_crowd *crowd = runner_new(L, sizeof *crowd, runner_crowd_class);
  crowd->device = device;
  crowd->threads = threads;
  crowd->rounds = rounds;
  crowd->stream = stream;
  crowd->event = event;
  size_t calls = (size_t)(threads * rounds) * sizeof *crowd->calls;
  crowd->calls = runner_new(L, calls, runner_crowd_class);
  if (!runner_crowd_run(crowd, scene)) return luaL_error(L, "no scene %s", scene);
  return answer(L, crowd);
}

const char runner_crowd_class[] = "modfs.runner.crowd";
const luaL_Reg runner_crowd_slots[] = {SLOT(crowd), {NULL, NULL}};
