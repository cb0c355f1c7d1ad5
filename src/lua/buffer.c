#include "bytes.h"
#include "collect.h"

#include <limits.h>
#include <string.h>

const modfs_class modfs_buffer_class = {"modfs.Buffer", "buffer", "buffer", sizeof(bytes_view),
                                        NULL};

/* modfs.buffer: takes a size or the first content. */
static int buffer_new(lua_State *L) {
  TF_Status *status = state_status(L);
  bool sized = lua_type(L, 1) == LUA_TNUMBER;
  size_t n = 0;
  if (!sized)
    check_bytes(L, 1, &n);
  else if (!check_count(L, 1, "size", &n))
    return 3;
  bytes_view *self = object_new(L, &modfs_buffer_class);
  modfs_bytes *bytes = modfs_bytes_new(n, status);
  if (bytes == NULL && collect_for_retry(L, status)) bytes = modfs_bytes_new(n, status);
  if (bytes == NULL)
    return push_failure_code(L, TF_GetCode(status), "buffer: %s", TF_Message(status));
  bytes_attach(self, bytes);
  const char *content = sized ? NULL : check_bytes(L, 1, &n);
  if (content != NULL) memcpy(self->data, content, n);
  collect_charge(L, n);
  return 1;
}

/* Methods that both classes have -------------------------------------------- */

static bytes_view *buffer_open(lua_State *L) {
  return check_open(L, &modfs_buffer_class);
}

static int buffer_length(lua_State *L) {
  return bytes_length(L, buffer_open(L));
}

static int buffer_sub(lua_State *L) {
  return bytes_sub(L, buffer_open(L));
}

static int buffer_byte(lua_State *L) {
  return bytes_byte(L, buffer_open(L));
}

static int buffer_find(lua_State *L) {
  return bytes_find(L, buffer_open(L));
}

static int buffer_unpack(lua_State *L) {
  return bytes_unpack(L, buffer_open(L));
}

static int buffer_lines(lua_State *L) {
  buffer_open(L);
  return bytes_lines(L);
}

static int buffer_slice(lua_State *L) {
  return bytes_slice(L, buffer_open(L), &modfs_buffer_class);
}

static int buffer_pointer(lua_State *L) {
  return bytes_pointer(L, buffer_open(L));
}

static int buffer_close(lua_State *L) {
  return bytes_close(L, buffer_open(L));
}

static int buffer_collect(lua_State *L) {
  return bytes_collect(L, &modfs_buffer_class);
}

static int buffer_tostring(lua_State *L) {
  return bytes_tostring(L, &modfs_buffer_class);
}

/* Methods that write -------------------------------------------------------- */

static int push_outside(lua_State *L, const char *operation) {
  return push_failure_code(L, TF_INVALID_ARGUMENT, "%s: range outside the buffer", operation);
}

static int buffer_set(lua_State *L) {
  bytes_view *self = buffer_open(L);
  size_t n;
  const char *data = check_bytes(L, 3, &n);
  handle_of(L, self);
  size_t offset;
  bool inside = bytes_position(L, self, 2, &offset);
  if (!inside || n > self->length - offset) return push_outside(L, "set");
  memmove(self->data + offset, data, n);
  lua_pushboolean(L, 1);
  return 1;
}

static int buffer_fill(lua_State *L) {
  bytes_view *self = buffer_open(L);
  int64_t byte = opt_integer(L, 2, 0);
  if (byte < 0 || byte > UCHAR_MAX)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "fill: byte value is not between 0 and 255");
  memset(self->data, (int)byte, self->length);
  lua_pushboolean(L, 1);
  return 1;
}

static int buffer_pack(lua_State *L) {
  return bytes_pack(L, buffer_open(L));
}

static const luaL_Reg buffer_methods[] = {
    {"sub", buffer_sub},         {"byte", buffer_byte},   {"find", buffer_find},
    {"unpack", buffer_unpack},   {"lines", buffer_lines}, {"slice", buffer_slice},
    {"pointer", buffer_pointer}, {"close", buffer_close}, {"set", buffer_set},
    {"fill", buffer_fill},       {"pack", buffer_pack},   {NULL, NULL},
};

static const luaL_Reg buffer_metamethods[] = {
    {"__len", buffer_length},
    {"__gc", buffer_collect},
    {"__tostring", buffer_tostring},
    {NULL, NULL},
};

static const luaL_Reg buffer_functions[] = {
    {"buffer", buffer_new},
    {NULL, NULL},
};

void modfs_lua_open_buffer(lua_State *L) {
  class_new(L, &modfs_buffer_class, buffer_methods, buffer_metamethods);
  set_functions(L, buffer_functions);
}
