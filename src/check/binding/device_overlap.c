/* Overlapping calls at a device:
 *   device:overlap(k, call, call) -> { first = answer, second = answer, fault = }: the second one ran while
 *     the first one was held at its point k, or after it if k = 0; without second if the first one has
 *     fewer points, and the second one did not run
 *   call: { slot =, and what it takes of stream, other, event, timer, memory, from, host, size, callback }
 *   answer: { code =, made = (a stream, event, timer, memory or host memory), number = }
 *   device:has_call(slot) -> whether the device has a slot that can be overlapped */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "runner_fs.h"
#include "check/runner/device_overlap.h"
#include "check/shim/shim.h"

/* The field of a call's table, of a class; NULL: it has none. */
static void *field_of(lua_State *L, int arg, const char *key, const char *class) {
  lua_getfield(L, arg, key);
  void *found = lua_isnil(L, -1) ? NULL : luaL_checkudata(L, -1, class);
  lua_pop(L, 1); /* the table keeps it */
  return found;
}

static void *handle_in(lua_State *L, int arg, const char *key, const char *class) {
  const handle *found = field_of(L, arg, key, class);
  return found ? found->pointer : NULL;
}

static void read_handles(lua_State *L, int arg, device_call *call) {
  call->stream = handle_in(L, arg, "stream", runner_stream_class);
  call->other = handle_in(L, arg, "other", runner_stream_class);
  call->event = handle_in(L, arg, "event", runner_event_class);
  call->timer = handle_in(L, arg, "timer", runner_timer_class);
  call->callback = field_of(L, arg, "callback", runner_call_class);
}

static void read_memory(lua_State *L, int arg, device_call *call) {
  const SP_DeviceMemoryBase *memory = field_of(L, arg, "memory", runner_memory_class);
  const SP_DeviceMemoryBase *from = field_of(L, arg, "from", runner_memory_class);
  const runner_host *host = field_of(L, arg, "host", runner_host_class);
  if (memory) call->memory = *memory;
  if (from) call->from = *from;
  if (host) call->host = host->address;
  lua_getfield(L, arg, "size");
  call->size = (uint64_t)lua_tonumber(L, -1);
  lua_pop(L, 1);
}

static device_call check_call(lua_State *L, const runner_device *device, int arg) {
  device_call call = {0};
  luaL_checktype(L, arg, LUA_TTABLE);
  lua_getfield(L, arg, "slot");
  call.slot = luaL_checkstring(L, -1);
  lua_pop(L, 1); /* the table keeps it */
  if (!runner_device_call_has(device, call.slot)) luaL_error(L, "the device lacks %s", call.slot);
  read_handles(L, arg, &call);
  read_memory(L, arg, &call);
  return call;
}

static void set_handle(lua_State *L, void *pointer, const char *class) {
  handle *made = runner_new(L, sizeof *made, class);
  made->number = runner_number(L, class);
  made->pointer = pointer;
  lua_setfield(L, -2, "made");
}

static void set_memory(lua_State *L, const device_call *call) {
  *runner_new_memory(L) = call->made_memory;
  lua_setfield(L, -2, "made");
}

static void set_host(lua_State *L, const device_call *call) {
  runner_host *made = runner_new(L, sizeof *made, runner_host_class);
  made->number = runner_number(L, runner_host_class);
  made->address = call->made_host;
  made->size = (size_t)call->size;
  lua_setfield(L, -2, "made");
}

static void set_answer(lua_State *L, const char *key, const device_call *call) {
  lua_newtable(L);
  answer_code(L, "code", call->code);
  answer_integer(L, "number", call->number);
  if (call->made_stream) set_handle(L, call->made_stream, runner_stream_class);
  if (call->made_event) set_handle(L, call->made_event, runner_event_class);
  if (call->made_timer) set_handle(L, call->made_timer, runner_timer_class);
  if (call->made_memory.opaque) set_memory(L, call);
  if (call->made_host) set_host(L, call);
  lua_setfield(L, -2, key);
}

static int slot_overlap(lua_State *L) {
  const runner_device *device = runner_check_device(L);
  lua_Integer k = luaL_checkinteger(L, 2);
  device_call first = check_call(L, device, 3), second = check_call(L, device, 4);
  char fault[256];
  bool held = runner_device_overlap(device, (size_t)k, &first, &second);
  lua_newtable(L);
  if (&modfs_shim && modfs_shim.fault(false, fault, sizeof fault)) answer_fault(L, "%s", fault);
  set_answer(L, "first", &first);
  if (held) set_answer(L, "second", &second);
  return 1;
}

static int slot_has_call(lua_State *L) {
  lua_pushboolean(L, runner_device_call_has(runner_check_device(L), luaL_checkstring(L, 2)));
  return 1;
}

const luaL_Reg runner_device_overlap_slots[] = {SLOT(overlap), SLOT(has_call), {NULL, NULL}};
