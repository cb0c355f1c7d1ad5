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

/* Methods that write -------------------------------------------------------- */

static int buffer_set(lua_State *L) {
  bytes_view *self = self_here(L);
  size_t n;
  const char *data = check_bytes(L, 3, &n);
  handle_of(L, self);
  size_t offset;
  bool inside = bytes_position(L, self, 2, &offset);
  if (!inside || n > self->length - offset)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "set: range outside the buffer");
  if (!bytes_check_free(L, self)) return 3;
  memmove(self->data + offset, data, n);
  lua_pushboolean(L, 1);
  return 1;
}

static int buffer_fill(lua_State *L) {
  bytes_view *self = self_here(L);
  int64_t byte = opt_integer(L, 2, 0);
  if (byte < 0 || byte > UCHAR_MAX)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "fill: byte value is not between 0 and 255");
  if (!bytes_check_free(L, self)) return 3;
  memset(self->data, (int)byte, self->length);
  lua_pushboolean(L, 1);
  return 1;
}

void modfs_lua_open_buffer(lua_State *L) {
  class_new(
      L, &modfs_buffer_class,
      FUNCTIONS({"sub", bytes_sub}, {"byte", bytes_byte}, {"find", bytes_find},
                {"unpack", bytes_unpack}, {"lines", bytes_lines}, {"slice", bytes_slice},
                {"pointer", bytes_pointer}, {"close", bytes_close}, {"set", buffer_set},
                {"fill", buffer_fill}, {"pack", bytes_pack}),
      FUNCTIONS({"__len", bytes_length}, {"__gc", bytes_collect}, {"__tostring", bytes_tostring}));
  set_functions(L, FUNCTIONS({"buffer", buffer_new}));
}
