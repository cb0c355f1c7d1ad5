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

/* What runs in every state; id, round and folder are globals. */
static const char script[] =
    "local modfs = require 'modfs'\n"
    "local function load(name)\n"
    "  return assert(modfs.load(folder .. '/' .. name .. '.so', { trust = true }))\n"
    "end\n"
    /* The same plugins, in another order in each thread. */
    "for i = 0, plugins - 1 do\n"
    "  local name = 'good.thread.' .. (i + id) % plugins\n"
    "  local plugin = load(name)\n"
    "  assert(plugin == load(name) and plugin.schemes[1] == name)\n"
    "  assert(modfs.read(name .. '://text') == '0123456789abcdef')\n"
    "end\n"
    "load 'checker'\n"
    "assert(not modfs.load(folder .. '/missing.so'))\n"
    "assert(select(3, modfs.open('nosuch' .. id .. '://x')) == 'UNIMPLEMENTED')\n"
    "assert(#modfs.schemes() == plugins + 4 and #modfs.plugins() == plugins + 3)\n"
    /* Trees of one's own, and one that everybody changes. */
    "local shared = { 'mem://shared', folder .. '/shared' }\n"
    "for n, root in ipairs { 'mem://own' .. id, folder .. '/own' .. id } do\n"
    "  assert(modfs.makedirs(root .. '/a/b'))\n"
    "  assert(modfs.makedirs(shared[n]))\n"
    "  for i = 1, 12 do\n"
    "    local path, text = root .. '/a/b/' .. i, ('x'):rep(i * 1000)\n"
    "    assert(modfs.write(path, text))\n"
    "    assert(modfs.write(path, text, { append = true }))\n"
    "    assert(modfs.read(path) == text .. text and modfs.size(path) == 2 * #text)\n"
    "    local region = assert(modfs.map(path))\n"
    "    assert(modfs.remove(path) and #region == 2 * #text and region:sub(-1) == 'x')\n"
    "    assert(modfs.write(path, text))\n"
    /* Whoever reads the shared file sees one writer's content, whole. */
    "    local mark = string.char(97 + id):rep(5000 + id)\n"
    "    assert(modfs.write(shared[n] .. '/file', mark, { atomic = true, durable = false }))\n"
    "    local seen = assert(modfs.read(shared[n] .. '/file'))\n"
    "    assert(seen == seen:sub(1, 1):rep(5000 + seen:byte() - 97))\n"
    "    assert(modfs.write(shared[n] .. '/by' .. id .. '.' .. i, 'mine'))\n"
    "    assert(#modfs.listdir(shared[n]) >= 1 and #modfs.glob(shared[n] .. '/by*') >= 1)\n"
    "    assert(modfs.remove(shared[n] .. '/by' .. id .. '.' .. i))\n"
    "  end\n"
    "  local count = 0\n"
    "  for dir, dirs, files in modfs.walk(root) do\n"
    "    count = count + #files\n"
    "  end\n"
    "  assert(count == 12)\n"
    "  assert(modfs.rmtree(root))\n"
    "end\n"
    /* Handles of a plugin that ends the process at the first wrong call; some are never closed. */
    "for _ = 1, 20 do\n"
    "  local file = assert(modfs.open 'checker:///file')\n"
    "  assert(file:read 'a' == 'checked')\n"
    "  local writable = assert(modfs.open('checker:///file', 'w'))\n"
    "  assert(writable:write 'data' and writable:close())\n"
    "  assert(modfs.map('checker:///file'):slice(2):sub(1) == 'hecked')\n"
    "  for _ in modfs.dir 'checker:///' do break end\n"
    "  local transaction = assert(modfs.filesystem('checker'):start_transaction())\n"
    "  assert(transaction:add 'checker:///x' and transaction:commit())\n"
    "end\n"
    "kept = { modfs.open 'checker:///file', modfs.map 'checker:///file' }\n"
    "modfs.flush_caches()\n";

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
