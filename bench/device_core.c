/* The core without Lua, and the plugin without the core: what each of them costs. A Lua module only
 * to be told what to do; it holds a core of its own, so it is not for a process with modfs. */
#include <modfs/device.h>

#include <lauxlib.h>
#include <lua.h>

#include "core/device/device.h"
#include "core/device/stream.h"

static TF_Status *status;
static modfs_device *device;
static modfs_stream *stream;
static modfs_event *event;
static modfs_callbacks *callbacks;
static modfs_memory *memory;
static atomic_size_t passed;

static void check(lua_State *L) {
  if (TF_GetCode(status) != TF_OK) luaL_error(L, "%s", TF_Message(status));
}

/* open(plugin_path, size): the reference device, a stream, and memory of that size. */
static int core_open(lua_State *L) {
  const char *plugins = luaL_checkstring(L, 1);
  lua_Integer size = luaL_checkinteger(L, 2);
  status = TF_NewStatus();
  const modfs_platform *platform = modfs_platform_search("REFERENCE", plugins, status);
  check(L);
  device = modfs_device_open(platform, 0, status);
  check(L);
  stream = modfs_stream_open(device, status);
  check(L);
  event = modfs_event_open(device, status);
  check(L);
  callbacks = modfs_callbacks_open(status);
  check(L);
  memory = modfs_memory_allocate(device, (uint64_t)size, status);
  check(L);
  return 0;
}

static int core_close(lua_State *L) {
  modfs_stream_close(stream);
  modfs_callbacks_close(callbacks);
  modfs_event_close(event);
  modfs_memory_free(memory);
  modfs_device_close(device, status);
  check(L);
  TF_DeleteStatus(status);
  return 0;
}

/* busy(): the stream has something to do for a while. */
static int core_busy(lua_State *L) {
  modfs_stream_fill(stream, memory, 1, status);
  modfs_stream_record(stream, event, status);
  check(L);
  return 0;
}

/* Whether it still has. */
static int core_is_busy(lua_State *L) {
  lua_pushboolean(L, modfs_event_status(event) == SE_EVENT_PENDING);
  return 1;
}

static int core_enqueue(lua_State *L) {
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--)
    modfs_stream_callback(stream, callbacks, (uint64_t)n, status);
  check(L);
  return 0;
}

/* take(n): waits for n callbacks. */
static int core_take(lua_State *L) {
  uint64_t number;
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    while (!modfs_callbacks_take(callbacks, &number))
      modfs_callbacks_wait(callbacks, -1);
    if (number != (uint64_t)n) return luaL_error(L, "callback %d is not %d", (int)number, (int)n);
  }
  return 0;
}

static void count(void *const argument, TF_Status *const unused) {
  (void)argument;
  (void)unused;
  atomic_fetch_add_explicit(&passed, 1, memory_order_relaxed);
}

/* The plugin's slot, called as the core calls it. */
static int plugin_enqueue(lua_State *L) {
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--)
    if (!device_executor(device)->host_callback(device_handle(device), stream_handle(stream), count,
                                                NULL))
      return luaL_error(L, "host_callback");
  return 0;
}

/* take(n): waits for n callbacks of the plugin. */
static int plugin_take(lua_State *L) {
  modfs_stream_synchronize(stream, status);
  check(L);
  size_t got = atomic_exchange(&passed, 0);
  if (got != (size_t)luaL_checkinteger(L, 1)) return luaL_error(L, "%d callbacks", (int)got);
  return 0;
}

/* plugin_wait(n): a callback, a mark behind it, a wait for the mark, in a stream of its own, whose
 * thread stays where this one is pinned. */
static int plugin_wait(lua_State *L) {
  const SP_StreamExecutor *plugin = device_executor(device);
  const SP_Device *its = device_handle(device);
  SP_Stream own = NULL;
  SP_Event mark = NULL;
  plugin->create_stream(its, &own, status);
  check(L);
  plugin->create_event(its, &mark, status);
  check(L);
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    plugin->host_callback(its, own, count, NULL);
    plugin->record_event(its, own, mark, status);
    plugin->block_host_for_event(its, mark, status);
  }
  plugin->destroy_event(its, mark);
  plugin->destroy_stream(its, own);
  check(L);
  return 0;
}

/* wait(n): the same through the core, with a fill of a byte in place of the callback. */
static int core_wait(lua_State *L) {
  modfs_stream *own = modfs_stream_open(device, status);
  modfs_memory *small = own ? modfs_memory_allocate(device, 1, status) : NULL;
  check(L);
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    modfs_stream_fill(own, small, 1, status);
    modfs_stream_record(own, event, status);
    modfs_event_wait(event, status);
  }
  check(L);
  modfs_stream_close(own);
  modfs_memory_free(small);
  return 0;
}

static int core_write(lua_State *L) {
  size_t size;
  const char *data = luaL_checklstring(L, 1, &size);
  for (lua_Integer n = luaL_checkinteger(L, 2); n > 0; n--)
    modfs_memory_write(memory, 0, data, size, status);
  check(L);
  return 0;
}

/* event(n): record and query. */
static int core_event(lua_State *L) {
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    modfs_stream_record(stream, event, status);
    if (modfs_event_status(event) != SE_EVENT_COMPLETE) return luaL_error(L, "not complete");
  }
  check(L);
  return 0;
}

__attribute__((visibility("default"))) int luaopen_device_core(lua_State *L);
int luaopen_device_core(lua_State *L) {
  static const luaL_Reg functions[] = {{"open", core_open},
                                       {"close", core_close},
                                       {"busy", core_busy},
                                       {"is_busy", core_is_busy},
                                       {"enqueue", core_enqueue},
                                       {"take", core_take},
                                       {"plugin_enqueue", plugin_enqueue},
                                       {"plugin_take", plugin_take},
                                       {"plugin_wait", plugin_wait},
                                       {"wait", core_wait},
                                       {"write", core_write},
                                       {"event", core_event},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
