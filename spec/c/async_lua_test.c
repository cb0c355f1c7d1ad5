/* Lua states that have jobs under way, from a host: closed at random moments, several at a time, and
 * forked. ASYNC_CLOSINGS and ASYNC_FORKS say how often. Made for the sanitizers.
 *
 * Lua finds modfs through LUA_PATH and LUA_CPATH; the program runs in the root of the sources. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "lua_host.h"

enum { THREADS = 2, MOST_NAP = 3000 /* microseconds */ };

static size_t often(const char *name, size_t otherwise) {
  const char *count = getenv(name);
  return count ? (size_t)atol(count) : otherwise;
}

static void nap(long microseconds) {
  nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

/* Jobs of all kinds, some of which wait for long; half of the Jobs are garbage at once, and so are
 * the objects that they use. */
static const char jobs[] =
    "local modfs = require 'modfs'\n"
    "local async = require 'modfs.async'\n"
    "local name = 'mem://async_lua/' .. tostring {}:match '%w+$'\n"
    "assert(modfs.makedirs(name))\n"
    "assert(modfs.write(name .. '/file', ('x'):rep(100000)))\n"
    "local device = assert(modfs.device 'REFERENCE:0')\n"
    "local stream, memory = device:stream(), device:allocate(100000)\n"
    "local event, idle = device:event(), device:allocate(1000)\n"
    "kept = {}\n"
    "local started = 0\n"
    "local function start(job, _, code)\n"
    "  assert(job or code == 'RESOURCE_EXHAUSTED', _)\n"
    "  started = started + 1\n"
    "  if started % 2 == 0 then kept[#kept + 1] = job end\n"
    "end\n"
    "for i = 1, 12 do\n"
    "  start(async.read(name .. '/file')) start(async.listdir(name))\n"
    "  start(async.makedirs(name .. '/made' .. i)) start(async.exists(name))\n"
    "  start(async(stream):copy(memory, ('y'):rep(100000)))\n"
    "  start(async(stream):record(event)) start(async(stream):synchronize())\n"
    "  start(async(device):allocate(100)) start(async(idle):read())\n"
    "  start(async(event):wait()) start(async(device:stream()):wait(stream))\n"
    "  if i == 1 then start(async.read('/dev/zero', { timeout = 0.5 })) end\n"
    "  if i < 3 then\n"
    "    local filter = function(entry) return async.exists(name):wait() end\n"
    "    start(async.glob(name .. '/*', { filter = filter }))\n"
    "    start(async.du(name, { filter = filter }))\n"
    "  end\n"
    "end\n"
    "kept[2]:cancel() kept[3]:wait(0.001)\n"
    "stream, memory, device, idle = nil\n"
    "collectgarbage()\n";

/* Closing ---------------------------------------------------------------------------- */

typedef struct closer {
  size_t count;
  unsigned seed;
  char failure[FAILURE_SIZE];
} closer;

static void *open_and_close(void *argument) {
  closer *self = argument;
  for (size_t i = 0; i < self->count && !*self->failure; i++) {
    lua_State *L = open_state();
    snprintf(self->failure, sizeof self->failure, "%s", run(L, jobs));
    self->seed = self->seed * 1103515245u + 12345u;
    nap((long)(self->seed >> 8) % MOST_NAP);
    lua_close(L);
  }
  return NULL;
}

static void test_closing(void) {
  size_t count = often("ASYNC_CLOSINGS", 20);
  pthread_t threads[THREADS];
  closer closers[THREADS];
  for (unsigned i = 0; i < THREADS; i++) {
    closers[i] = (closer){.count = count / THREADS, .seed = i + 1};
    pthread_create(&threads[i], NULL, open_and_close, &closers[i]);
  }
  for (unsigned i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    CHECK_STR(closers[i].failure, "", "%zu states are closed with jobs under way", count / THREADS);
  }
}

/* Forks ------------------------------------------------------------------------------- */

#ifdef __SANITIZE_THREAD__
static void test_forks(void) {
  check_note("skipped: forks, after which ThreadSanitizer has no threads");
}
#else

/* The parent's Jobs are done there, and its objects refuse; Jobs of its own run. One that had waited
 * for the event before it was recorded had failed already. */
static const char child[] =
    "local modfs = require 'modfs'\n"
    "local async = require 'modfs.async'\n"
    "local function check(_, message, code)\n"
    "  assert(code ~= 'FAILED_PRECONDITION' or message:find 'process'\n"
    "    or message:find 'not recorded', message)\n"
    "end\n"
    "for _, job in ipairs(kept) do assert(job:done()) check(job:wait()) end\n"
    "assert(assert(async.exists('/tmp'):wait()) == true)\n"
    "assert(assert(async.read('/dev/null'):wait()) == '')\n"
    "kept = nil\n"
    "collectgarbage() collectgarbage()\n";

static void test_forks(void) {
  enum { EACH = 10 };
  size_t count = often("ASYNC_FORKS", 40);
  char failure[FAILURE_SIZE] = "";
  size_t forks = 0;
  for (; forks < count && !*failure; forks++) {
    static lua_State *L;
    if (forks % EACH == 0) {
      if (L) lua_close(L);
      L = open_state();
      snprintf(failure, sizeof failure, "%s", run(L, jobs));
    }
    if (!*failure) run_child(L, child, false, failure);
  }
  CHECK_STR(failure, "", "%zu forks with jobs under way", forks);
}
#endif

int main(void) {
  test_closing();
  test_forks();
  return check_end();
}
