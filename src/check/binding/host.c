/* Host memory, callbacks and gates, for the conformance cases about devices. */
#include <stdlib.h>
#include <string.h>

#include "runner.h"

const char runner_host_class[] = "modfs.runner.host", runner_call_class[] = "modfs.runner.call",
           runner_gate_class[] = "modfs.runner.gate";

#define METHOD(name)                                                                               \
  { #name, host_##name }

/* Host memory ---------------------------------------------------------------------------- */

enum { EDGE = 64, MOST = 1 << 28 };

static runner_host *check_host(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, runner_host_class);
}

char *runner_bytes(lua_State *L, int arg, int64_t offset, int64_t n) {
  runner_host *host = check_host(L, arg);
  int64_t size = (int64_t)host->size;
  if (offset < 0 || n < 0 || offset > size || n > size - offset)
    luaL_argerror(L, arg, "it has not so many bytes");
  return host->address + offset;
}

/* host(n): n bytes of the process, on a multiple of 64; to be kept while a device uses them. */
static int new_host(lua_State *L) {
  int64_t size = runner_integer(L, 1);
  if (size < 0 || size > MOST) luaL_argerror(L, 1, "no size");
  runner_host *host = runner_lend(L, sizeof *host + EDGE + (size_t)size, runner_host_class);
  uintptr_t start = (uintptr_t)(host + 1);
  host->address = (char *)((start + EDGE - 1) / EDGE * EDGE);
  host->size = (size_t)size;
  host->number = runner_number(L, runner_host_class);
  return 1;
}

/* host:bytes([offset [, n]]) -> string */
static int host_bytes(lua_State *L) {
  int64_t offset = lua_isnoneornil(L, 2) ? 0 : runner_integer(L, 2);
  int64_t n =
      lua_isnoneornil(L, 3) ? (int64_t)check_host(L, 1)->size - offset : runner_integer(L, 3);
  const char *address = runner_bytes(L, 1, offset, n);
  lua_pushlstring(L, address, (size_t)n);
  return 1;
}

/* host:set(offset, string) */
static int host_set(lua_State *L) {
  size_t n;
  const char *data = luaL_checklstring(L, 3, &n);
  memcpy(runner_bytes(L, 1, runner_integer(L, 2), (int64_t)n), data, n);
  return 0;
}

/* host:edge(n) -> how far its address is from a multiple of n */
static int host_edge(lua_State *L) {
  lua_pushinteger(
      L, (lua_Integer)((uintptr_t)check_host(L, 1)->address % (uintptr_t)runner_integer(L, 2)));
  return 1;
}

static int host_text(lua_State *L) {
  const runner_host *host = check_host(L, 1);
  lua_pushfstring(L, "host %d (%d bytes)", host->number, (int)host->size);
  return 1;
}

static const luaL_Reg host_methods[] = {
    METHOD(bytes), METHOD(set), METHOD(edge), {"__tostring", host_text}, {NULL, NULL}};

/* Gates ------------------------------------------------------------------------------------ */

static runner_gate *check_gate(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, runner_gate_class);
}

static int new_gate(lua_State *L) {
  runner_gate_init(runner_new(L, sizeof(runner_gate), runner_gate_class));
  return 1;
}

/* gate:open([seconds]): now, or later. */
static int host_open(lua_State *L) {
  runner_gate *gate = check_gate(L, 1);
  if (lua_isnoneornil(L, 2))
    runner_gate_open(gate);
  else if (!runner_gate_open_later(gate, luaL_checknumber(L, 2)))
    luaL_error(L, "no thread");
  return 0;
}

/* gate:closed() -> whether it is, so that no callback has passed it */
static int host_closed(lua_State *L) {
  lua_pushboolean(L, runner_gate_is_closed(check_gate(L, 1)));
  return 1;
}

/* gate:meet(seconds) -> whether a callback waits at it by then */
static int host_meet(lua_State *L) {
  lua_pushboolean(L, runner_gate_meet(check_gate(L, 1), luaL_checknumber(L, 2)));
  return 1;
}

static const luaL_Reg gate_methods[] = {METHOD(open), METHOD(closed), METHOD(meet), {NULL, NULL}};

/* Calls ------------------------------------------------------------------------------------ */

static runner_call *check_call(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, runner_call_class);
}

double runner_field(lua_State *L, const char *key) {
  lua_getfield(L, 1, key);
  double number = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return number;
}

static void *field_block(lua_State *L, const char *key, const char *class) {
  void *block = NULL;
  lua_getfield(L, 1, key);
  if (!lua_isnil(L, -1)) block = luaL_checkudata(L, -1, class);
  lua_pop(L, 1);
  return block;
}

/* call{ gate =, code = number, seconds = } */
static int new_call(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  runner_gate *gate = field_block(L, "gate", runner_gate_class);
  runner_call *call = runner_new(L, sizeof *call, runner_call_class);
  call->gate = gate;
  call->code = (TF_Code)runner_field(L, "code");
  call->seconds = runner_field(L, "seconds");
  return 1;
}

static void set_field(lua_State *L, const char *key, long value) {
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, key);
}

static void set_time(lua_State *L, const char *key, long long nanoseconds) {
  lua_pushnumber(L, (lua_Number)nanoseconds / 1e9);
  lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* call:state() -> { begun, ended, order, began_at, ended_at, at_once, without_status,
 * status_not_ok }; the times are runner.clock's */
static int host_state(lua_State *L) {
  runner_call *call = check_call(L, 1);
  lua_newtable(L);
  set_field(L, "begun", atomic_load(&call->begun));
  set_field(L, "ended", atomic_load(&call->ended));
  set_field(L, "order", atomic_load(&call->order));
  set_time(L, "began_at", atomic_load(&call->began_at));
  set_time(L, "ended_at", atomic_load(&call->ended_at));
  set_flag(L, "at_once", atomic_load(&call->at_once));
  set_flag(L, "without_status", atomic_load(&call->without_status));
  set_flag(L, "status_not_ok", atomic_load(&call->status_not_ok));
  return 1;
}

/* call:await(times, seconds) -> whether it ended that often by then */
static int host_await(lua_State *L) {
  runner_call *call = check_call(L, 1);
  lua_pushboolean(L, runner_call_await(call, (int)runner_integer(L, 2), luaL_checknumber(L, 3)));
  return 1;
}

static const luaL_Reg call_methods[] = {METHOD(state), METHOD(await), {NULL, NULL}};

/* clock() -> seconds, monotonic */
static int read_clock(lua_State *L) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  lua_pushnumber(L, (lua_Number)now.tv_sec + (lua_Number)now.tv_nsec / 1e9);
  return 1;
}

/* word(number) -> its four bytes, as they lie in memory */
static int make_word(lua_State *L) {
  uint32_t word = (uint32_t)runner_integer(L, 1);
  lua_pushlstring(L, (const char *)&word, sizeof word);
  return 1;
}

static const luaL_Reg functions[] = {{"host", new_host},    {"gate", new_gate},  {"call", new_call},
                                     {"clock", read_clock}, {"word", make_word}, {NULL, NULL}};

void runner_open_host(lua_State *L) {
  runner_class(L, runner_host_class, host_methods);
  runner_class(L, runner_call_class, call_methods);
  runner_class(L, runner_gate_class, gate_methods);
  runner_register(L, functions);
}
