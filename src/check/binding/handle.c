/* Slots of files, writable files and regions. */
#include "runner_fs.h"

#include <string.h>

#include "check/runner/guard.h"

static uint64_t check_bits(lua_State *L, int arg) {
  int64_t value = 0;
  if (!compat_tointeger(L, arg, &value)) return (uint64_t)luaL_checknumber(L, arg);
  return (uint64_t)value;
}

/* Pushes the bytes received as a string, at most 16 MiB of them. */
static void push_bytes(lua_State *L, const runner_guard *guard, int64_t got) {
  const int64_t most = 1 << 24;
  if (got < 0 || (uint64_t)got > guard->n) return;
  lua_pushlstring(L, guard->bytes, (size_t)(got < most ? got : most));
  lua_setfield(L, -2, "bytes");
}

/* read(handle, offset, n): into n bytes between guards; n = 0 gives the plugin NULL. */
static int handle_read(lua_State *L) {
  runner_handle *h = check_handle(L);
  uint64_t offset = check_bits(L, 2);
  size_t n = (size_t)check_bits(L, 3);
  runner_guard guard;
  if (!h->plugin->file.read) return 0;
  if (!runner_guard_open(&guard, n)) return luaL_error(L, "no addresses for a buffer");
  TF_Status *status = call_begin();
  int64_t got = h->plugin->file.read(&h->as.file, offset, n, n ? guard.bytes : NULL, status);
  call_end(L, status);
  answer_integer(L, "value", got);
  push_bytes(L, &guard, got);
  if (!runner_guard_intact(&guard)) answer_fault(L, "bytes before the buffer were written to");
  runner_guard_close(&guard);
  return 1;
}

/* append(handle, bytes): bytes that end at a guard; none are NULL. */
static int handle_append(lua_State *L) {
  runner_handle *h = check_handle(L);
  size_t n;
  const char *bytes = luaL_checklstring(L, 2, &n);
  runner_guard guard;
  if (!h->plugin->writable.append) return 0;
  if (!runner_guard_open(&guard, n)) return luaL_error(L, "no addresses for a buffer");
  memcpy(guard.bytes, bytes, n);
  TF_Status *status = call_begin();
  h->plugin->writable.append(&h->as.writable, n ? guard.bytes : NULL, n, status);
  call_end(L, status);
  if (memcmp(guard.bytes, bytes, n) != 0 || !runner_guard_intact(&guard))
    answer_fault(L, "the buffer was written to");
  runner_guard_close(&guard);
  return 1;
}

static int handle_tell(lua_State *L) {
  runner_handle *h = check_handle(L);
  if (!h->plugin->writable.tell) return 0;
  TF_Status *status = call_begin();
  int64_t value = h->plugin->writable.tell(&h->as.writable, status);
  return answer_value(L, status, value);
}

#define STATUS_METHOD(name)                                                                        \
  static int handle_##name(lua_State *L) {                                                         \
    runner_handle *h = check_handle(L);                                                            \
    if (!h->plugin->writable.name) return 0;                                                       \
    TF_Status *status = call_begin();                                                              \
    h->plugin->writable.name(&h->as.writable, status);                                             \
    return call_end(L, status);                                                                    \
  }

STATUS_METHOD(flush)
STATUS_METHOD(sync)
STATUS_METHOD(close)

#define CLEANUP_METHOD(name, table, member)                                                        \
  static int name(lua_State *L) {                                                                  \
    runner_handle *h = check_handle(L);                                                            \
    runner_enter();                                                                                \
    h->plugin->table.cleanup(&h->as.member);                                                       \
    return call_end(L, NULL);                                                                      \
  }

CLEANUP_METHOD(cleanup_file, file, file)
CLEANUP_METHOD(cleanup_writable, writable, writable)
CLEANUP_METHOD(cleanup_region, region, region)

/* bytes(handle [, from, n]): the bytes of a region from there on, at most n. */
static int handle_bytes(lua_State *L) {
  runner_handle *h = check_handle(L);
  uint64_t from = lua_isnoneornil(L, 2) ? 0 : check_bits(L, 2);
  uint64_t n = lua_isnoneornil(L, 3) ? UINT64_C(1) << 24 : check_bits(L, 3);
  const TF_ReadOnlyMemoryRegionOps *ops = &h->plugin->region;
  runner_enter();
  const char *data = ops->data(&h->as.region);
  uint64_t length = ops->length(&h->as.region);
  bool steady = data == ops->data(&h->as.region) && length == ops->length(&h->as.region);
  call_end(L, NULL);
  answer_integer(L, "length", (int64_t)length);
  answer_pointer(L, "pointer", data);
  if (!steady) answer_fault(L, "data or length answers otherwise when asked again");
  if (from > length) return 1;
  lua_pushlstring(L, data + from, (size_t)(n < length - from ? n : length - from));
  lua_setfield(L, -2, "bytes");
  return 1;
}

const luaL_Reg runner_handle_methods[] = {{"read", handle_read},
                                          {"append", handle_append},
                                          {"tell", handle_tell},
                                          {"flush", handle_flush},
                                          {"sync", handle_sync},
                                          {"close", handle_close},
                                          {"bytes", handle_bytes},
                                          {"cleanup_file", cleanup_file},
                                          {"cleanup_writable", cleanup_writable},
                                          {"cleanup_region", cleanup_region},
                                          {NULL, NULL}};
