/* Lua states that drive devices, from a host: many callbacks while the collector works, several
 * states on several threads, memory that runs out at each place, and forks. Made for ThreadSanitizer.
 *
 * Lua finds modfs through LUA_PATH and LUA_CPATH; the program runs in the root of the sources. */
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "lua_host.h"

enum { THREADS = 4 };

static lua_State *open_counting(lua_Integer count) {
  lua_State *L = open_state();
  lua_pushinteger(L, count);
  lua_setglobal(L, "count");
  return L;
}

/* Whether a checker stands below. */
static bool is_slow(void) {
#ifdef __SANITIZE_THREAD__
  return true;
#endif
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "valgrind");
}

/* Callbacks -------------------------------------------------------------------------- */

/* Streams that wait for each other, copies whose ends are garbage at once, and a count for each. */
static const char callbacks[] =
    "local modfs = require 'modfs'\n"
    "local device = assert(modfs.device 'REFERENCE:0')\n"
    "local streams, seen, ran = {}, { 0, 0, 0, 0 }, 0\n"
    "for i = 1, 4 do streams[i] = assert(device:stream()) end\n"
    "for k = 1, count / 4 do\n"
    "  for i = 1, 4 do\n"
    "    local s = streams[i]\n"
    "    if k % 16 == i then\n"
    "      local memory, event = device:allocate(8), device:event()\n"
    "      s:copy(memory, ('%08d'):format(k)):record(event)\n"
    "      streams[i % 4 + 1]:wait(event):copy(modfs.buffer(8), memory)\n"
    "    end\n"
    "    assert(s:callback(function()\n"
    "      assert(seen[i] == k - 1, 'order')\n"
    "      seen[i] = k\n"
    "    end))\n"
    "  end\n"
    "  if k % 64 == 0 then ran = ran + modfs.poll() end\n"
    "  if k % 256 == 0 then collectgarbage() end\n"
    "end\n"
    "for i = 1, 4 do assert(streams[i]:close()) end\n"
    "ran = ran + modfs.poll()\n"
    "for i = 1, 4 do assert(seen[i] == count / 4, 'lost') end\n"
    "assert(ran == count and modfs.poll() == 0)\n"
    "collectgarbage() collectgarbage()\n"
    "keep = { device:stream():callback(print), device:event(), device:timer() }\n";

static void test_callbacks(void) {
  int count = is_slow() ? 4000 : 100000;
  lua_State *L = open_counting(count);
  CHECK_STR(run(L, callbacks), "", "%d callbacks of 4 streams, in order, none lost", count);
  lua_close(L);
}

static void *work(void *failure) {
  lua_State *L = open_counting(is_slow() ? 400 : 2000);
  snprintf(failure, FAILURE_SIZE, "%s", run(L, callbacks));
  lua_close(L);
  return NULL;
}

static void test_states(void) {
  pthread_t threads[THREADS];
  static char failures[THREADS][FAILURE_SIZE];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, failures[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK_STR(failures[i], "", "state %d of %d that share a device", i + 1, THREADS);
  }
}

static void test_descriptor(void) {
  lua_State *L = open_state();
  const char *failure = run(L, "modfs = require 'modfs'\n"
                               "stream = modfs.device 'REFERENCE:0':stream()\n"
                               "fd = modfs.pollfd()\n"
                               "stream:callback(function() ran = true end)\n");
  CHECK_STR(failure, "", "a callback is enqueued");
  lua_getglobal(L, "fd");
  struct pollfd waiting = {(int)lua_tointeger(L, -1), POLLIN, 0};
  CHECK_INT(poll(&waiting, 1, 10000), 1, "the descriptor wakes an event loop");
  CHECK_STR(run(L, "assert(modfs.poll() == 1 and ran)"), "", "modfs.poll runs it");
  CHECK_INT(poll(&waiting, 1, 0), 0, "the descriptor sleeps again");
  lua_close(L);
}

/* Memory that runs out ---------------------------------------------------------------- */

/* The allocator of Lua, which refuses one request and those right behind it. */
typedef struct allocator {
  long left;     /* the first that is refused; below 1: none */
  long refusals; /* how many are */
} allocator;

static bool refuses(allocator *self) {
  if (self->left < 1 || self->left-- > 1) return false;
  self->left = --self->refusals > 0;
  return true;
}

static void *allocate(void *context, void *block, size_t old_size, size_t size) {
  allocator *self = context;
  if (size == 0) {
    free(block);
    return NULL;
  }
  if (refuses(self) && size > (block ? old_size : 0)) return NULL;
  return realloc(block, size);
}

static const char uses[] =
    "local device = assert(modfs.device 'REFERENCE:0')\n"
    "local s, e, t = assert(device:stream()), assert(device:event()), assert(device:timer())\n"
    "local m, b = assert(device:allocate(8)), assert(device:host_allocate(8))\n"
    "assert(t:start(s)) assert(s:copy(m, '12345678'):copy(b, m):record(e)) assert(t:stop(s))\n"
    "s:callback(function() return {} end):callback(function() error {} end)\n"
    "local good, why = s:synchronize()\n"
    "assert(not good and why:find 'table' and m:read() == '12345678' and #device.name > 0)\n"
    "assert(#tostring(device) + #tostring(s) + #tostring(e) + #tostring(m) > 0)\n"
    "assert(#modfs.platforms() > 0 and #modfs.devices() > 0 and device:allocator_stats())\n"
    "assert(device:load 'mem://device_lua') modfs.poll(0)\n";

static const char ready[] = "modfs = require 'modfs' modfs.write('mem://device_lua', 'x')\n"
                            "for i = 1, 2 do modfs.device 'REFERENCE:0' end\n"
                            "modfs.platforms() modfs.devices()\n"; /* which are compiled now */

/* LuaJIT crashes when its compiler gets no memory. */
static lua_State *open_short(allocator *source) {
  lua_State *L = lua_newstate(allocate, source);
  luaL_openlibs(L);
  run(L, "if jit then jit.off() end");
  return L;
}

static bool is_broken; /* something is left, or does not work any more, after a failure */

/* Whether the uses went through. */
static bool run_short(long k) {
  allocator source = {0, 0};
  lua_State *L = open_short(&source);
  if (*run(L, ready)) abort();
  luaL_loadstring(L, uses);
  source = (allocator){k, 2}; /* the second comes after a collection */
  bool good = lua_pcall(L, 0, 0, 0) == 0;
  source.left = 0;
  lua_settop(L, 0);
  run(L, "for _ = 1, 4 do collectgarbage() end");
  const char *after = run(L, uses);
  if (*after) check_note("after failure %ld: %s", k, after);
  run(L, "for _ = 1, 4 do collectgarbage() end\n"
         "left = modfs.device 'REFERENCE:0':allocator_stats().bytes_in_use");
  lua_getglobal(L, "left");
  bool clean = lua_tointeger(L, -1) == 0 && !*after;
  if (!clean) check_note("after failure %ld: %d bytes are left", k, (int)lua_tointeger(L, -1));
  lua_close(L);
  is_broken = is_broken || !clean;
  return good;
}

static void test_short_memory(void) {
  const long step = is_slow() ? 17 : 1;
  long k = 1;
  /* Twice: Lua itself does without a larger table of strings when it gets none. */
  while (k < 2000 && !is_broken && !(run_short(k) && run_short(k + 1)))
    k += step;
  CHECK(!is_broken && k > 100 && k < 2000, "each allocation of Lua may fail, tried to the %ldth",
        k);
}

/* Waits that run what arrives: Jobs with an error, with results and functions of their own, and a
 * callback. */
static const char waits[] =
    "local jobs = { async.stat 'mem://device_lua', async.listdir 'mem://none' }\n"
    "for _, job in ipairs(jobs) do job:on_done(function() end) end\n"
    "jobs[3] = async.glob('mem://device_lua*', { filter = function() error {} end })\n"
    "jobs[4] = async(stream):synchronize()\n"
    "stream:callback(function() ran = true end)\n"
    "for _, job in ipairs(jobs) do pcall(job.wait, job, 0.02) end\n"
    "stream:synchronize()\n"
    "modfs.poll(0)\n";

static const char waits_ready[] = "modfs = require 'modfs' async = require 'modfs.async'\n"
                                  "stream = modfs.device 'REFERENCE:0':stream()\n"
                                  "modfs.write('mem://device_lua', 'x')\n";

/* Whatever failed, waits still wait, and callbacks still run: synchronize stops at the question of a
 * filter that failed. */
static const char waits_after[] =
    "assert(async.stat('mem://device_lua'):wait(10))\n"
    "ran = false\n"
    "assert(stream:callback(function() ran = true end):synchronize())\n"
    "for _ = 1, 9 do modfs.poll() end\n"
    "assert(ran, 'callbacks do not run any more')\n";

/* One state, as what a failure leaves behind adds up. */
static void test_short_waits(void) {
  const long step = is_slow() ? 17 : 1, most = 120;
  allocator source = {0, 0};
  lua_State *L = open_short(&source);
  const char *after = "";
  if (*run(L, waits_ready)) abort();
  for (long refusals = 2; refusals <= 4 && !*after; refusals++) {
    for (long k = 1; k < most && !*after; k += step) {
      luaL_loadstring(L, waits);
      source = (allocator){k, refusals};
      lua_pcall(L, 0, 0, 0);
      source.left = 0;
      lua_settop(L, 0);
      after = run(L, waits_after);
      if (*after) check_note("after %ld failures from the %ldth on", refusals, k);
    }
  }
  CHECK_STR(after, "", "memory may run out in waits, and they go on");
  lua_close(L);
}

/* Forks ------------------------------------------------------------------------------- */

#ifndef __SANITIZE_THREAD__ /* it has no threads after a fork */
static const char parent[] = "modfs = require 'modfs'\n"
                             "modfs.write('mem://device_lua', 'x')\n"
                             "device = assert(modfs.device 'REFERENCE:0')\n"
                             "s, e, t = device:stream(), device:event(), device:timer()\n"
                             "m, b = device:allocate(8), device:host_allocate(8)\n"
                             "ran = 0\n"
                             "function note() ran = ran + 1 end\n"
                             "t:start(s) s:copy(m, '12345678'):callback(note) t:stop(s)\n"
                             "s:record(e):synchronize()\n"
                             "s:callback(note):copy(b, m):callback(note)\n";

static const char child[] =
    "local function refused(...)\n"
    "  local value, message, code = ...\n"
    "  assert(value == nil and code == 'FAILED_PRECONDITION', message)\n"
    "end\n"
    "refused(s:status()) refused(s:synchronize()) refused(s:copy(m, 'x')) refused(s:fill(m, 1))\n"
    "refused(s:record(e)) refused(s:wait(e)) refused(s:wait(s)) refused(s:callback(note))\n"
    "refused(e:wait()) refused(t:start(s)) refused(t:stop(s)) refused(t:nanoseconds())\n"
    "refused(m:read()) refused(m:write 'x') refused(m:fill(1)) refused(m:copy(m))\n"
    "refused(device:allocate(1)) refused(device:stream()) refused(device:event())\n"
    "refused(device:timer()) refused(device:host_allocate(1)) refused(device:synchronize())\n"
    "refused(device:unified_allocate(1)) refused(device:close())\n"
    "refused(device:load 'mem://device_lua') refused(device:memory_usage())\n"
    "e:status() device:allocator_stats() tostring(s) tostring(e) tostring(device)\n"
    "assert(modfs.poll() == 0 and modfs.poll(0.01) == 0 and ran == before)\n"
    "s:close() e:close() t:close() m:close() b:close() device:close()\n"
    "local fresh = assert(modfs.device 'REFERENCE:1')\n" /* the parent has all memory of the other */
    "local stream, memory = assert(fresh:stream()), assert(fresh:allocate(4))\n"
    "local again\n"
    "assert(stream:copy(memory, 'work'):callback(function() again = true end):synchronize())\n"
    "assert(memory:read() == 'work' and again)\n";

static const char afterwards[] =
    "assert(s:synchronize()) modfs.poll()\n"
    "assert(ran == 3 and b:sub(1) == '12345678' and m:read() == '12345678')\n"
    "assert(s:close() and e:close() and t:close() and m:close() and b:close() and "
    "device:close())\n";

static void test_fork(void) {
  lua_State *L = open_state();
  CHECK_STR(run(L, parent), "", "a parent has a device in use");
  CHECK_STR(run(L, "before = ran"), "", "with callbacks that have not run");
  for (int closes = 0; closes < 2; closes++) {
    char failure[FAILURE_SIZE];
    run_child(L, child, closes, failure);
    CHECK_STR(failure, "", "a child is refused, opens its own%s", closes ? ", closes all" : "");
  }
  CHECK_STR(run(L, afterwards), "", "and the parent goes on");
  lua_close(L);
}

#endif

int main(void) {
#ifdef __SANITIZE_THREAD__
  check_note("skipped: forks, after which ThreadSanitizer has no threads");
#else
  test_fork();
#endif
  test_callbacks();
  test_states();
  test_descriptor();
  test_short_memory();
  test_short_waits();
  return check_end();
}
