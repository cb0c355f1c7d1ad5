/* The formats of io.read over a modfs_input. A finalizer may use or close the file wherever Lua
 * allocates: the bytes that peek has shown are used before that, and the input is fetched again
 * after it. */
#include "file.h"

#include <string.h>

#include "numeral.h"

enum { CHUNK = 1024 * 1024, WINDOW = 64 * 1024, LONG_LINE = 128 * 1024 };

bool check_formats(lua_State *L, int first, int count) {
  for (int arg = first; arg < first + count; arg++) {
    size_t n;
    if (lua_type(L, arg) == LUA_TNUMBER) {
      if (!check_count(L, arg, "count", &n)) return false;
      continue;
    }
    const char *format = check_string(L, arg, NULL);
    format += *format == '*';
    if (*format == '\0' || strchr("nlLav", *format) == NULL) arg_error(L, arg, "invalid format");
  }
  return true;
}

typedef enum outcome {
  FAILED, /* the reason is in the status, and no Lua code has run since */
  ENDED,  /* nothing was left in the file */
  PUSHED
} outcome;

static outcome nothing_came(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK ? ENDED : FAILED;
}

/* Bytes gathered in the scratch buffer, whose value is at the top of the stack. */
typedef struct gathering {
  char *data;
  size_t used;
  size_t size;
} gathering;

static gathering gather(lua_State *L, size_t size) {
  return (gathering){.data = scratch_take(L, size), .used = 0, .size = size};
}

static void make_room(lua_State *L, gathering *bytes, size_t n) {
  if (bytes->size - bytes->used >= n) return;
  size_t size = bytes->used + (bytes->used > n ? bytes->used : n);
  bytes->data = scratch_grow(L, bytes->used, size);
  bytes->size = size;
}

/* Replaces the scratch value by the string. */
static outcome push_gathered(lua_State *L, const gathering *bytes) {
  lua_pushlstring(L, bytes->data, bytes->used);
  lua_replace(L, -2);
  if (bytes->size > CHUNK) scratch_trim(L);
  return PUSHED;
}

/* Pushes n bytes that peek has shown, less the last drop bytes. */
static outcome push_seen(lua_State *L, file_object *self, const char *data, size_t n, size_t drop) {
  if (COMPAT_COPIES_FIRST) {
    modfs_input_skip(self->input, n);
    lua_pushlstring(L, data, n - drop);
    return PUSHED;
  }
  gathering bytes = gather(L, n);
  size_t seen = modfs_input_peek(file_input(L, self), &data, state_status(L));
  bytes.used = n < seen ? n : seen;
  memcpy(bytes.data, data, bytes.used);
  modfs_input_skip(self->input, bytes.used);
  bytes.used -= bytes.used >= drop ? drop : 0;
  return push_gathered(L, &bytes);
}

/* Takes the buffered bytes up to the next newline. Whether there was one. */
static bool gather_line(file_object *self, gathering *bytes, const char *data, size_t n) {
  if (n > bytes->size - bytes->used) n = bytes->size - bytes->used;
  const char *newline = memchr(data, '\n', n);
  if (newline != NULL) n = (size_t)(newline - data) + 1;
  memcpy(bytes->data + bytes->used, data, n);
  bytes->used += n;
  modfs_input_skip(self->input, n);
  return newline != NULL;
}

/* Reads a line that does not lie in the buffer as a whole. */
static outcome read_long_line(lua_State *L, file_object *self, bool keep, TF_Status *status) {
  gathering bytes = gather(L, LONG_LINE);
  for (bool whole = false; !whole;) {
    make_room(L, &bytes, WINDOW);
    const char *data;
    size_t n = modfs_input_peek(file_input(L, self), &data, status);
    if (n == 0 && TF_GetCode(status) != TF_OK) return FAILED;
    if (n == 0) return push_gathered(L, &bytes);
    whole = gather_line(self, &bytes, data, n);
  }
  if (!keep) bytes.used--;
  return push_gathered(L, &bytes);
}

static outcome read_line(lua_State *L, file_object *self, bool keep, TF_Status *status) {
  const char *data;
  size_t n = modfs_input_peek(file_input(L, self), &data, status);
  if (n == 0) return nothing_came(status);
  const char *newline = memchr(data, '\n', n);
  if (newline == NULL) return read_long_line(L, self, keep, status);
  return push_seen(L, self, data, (size_t)(newline - data) + 1, !keep);
}

/* Reads count bytes, or up to the end; allocates size bytes, then doubles. */
static outcome read_bytes(lua_State *L, file_object *self, size_t count, size_t size,
                          TF_Status *status) {
  gathering bytes = gather(L, size);
  while (bytes.used < count) {
    size_t left = count - bytes.used;
    make_room(L, &bytes, left < WINDOW ? left : WINDOW);
    size_t room = bytes.size - bytes.used;
    char *to = bytes.data + bytes.used;
    int64_t n = modfs_input_read(file_input(L, self), to, room < left ? room : left, status);
    if (n < 0) return FAILED;
    if (n == 0) break;
    bytes.used += (size_t)n;
  }
  return push_gathered(L, &bytes);
}

static outcome read_count(lua_State *L, file_object *self, size_t count, TF_Status *status) {
  if (count < WINDOW) {
    const char *data;
    size_t n = modfs_input_peek(file_input(L, self), &data, status);
    if (n == 0) return nothing_came(status);
    if (n >= count) return push_seen(L, self, data, count, 0);
  }
  outcome result = read_bytes(L, self, count, count < CHUNK ? count : CHUNK, status);
  return result == PUSHED && lua_rawlen(L, -1) == 0 ? ENDED : result;
}

/* Count 0 tests for the end of the file. */
static outcome read_nothing(lua_State *L, file_object *self, TF_Status *status) {
  const char *data;
  if (modfs_input_peek(file_input(L, self), &data, status) == 0) return nothing_came(status);
  lua_pushliteral(L, "");
  return PUSHED;
}

/* Numbers ------------------------------------------------------------------- */

static outcome read_number(lua_State *L, file_object *self, TF_Status *status) {
  numeral number = {.input = file_input(L, self), .status = status};
  numeral_take(&number);
  if (TF_GetCode(status) != TF_OK) return FAILED;
  return numeral_push(L, number.text) ? PUSHED : ENDED;
}

/* The 64 bits as a Lua integer, which is signed. */
static outcome read_varint(lua_State *L, file_object *self, TF_Status *status) {
  uint64_t value;
  modfs_input *input = file_input(L, self);
  const char *name = modfs_file_name(self->object.handle);
  if (!varint_take(input, name, &value, status)) return nothing_came(status);
  if (!COMPAT_HAS_INTEGERS && value > UINT64_C(1) << 53) {
    modfs_set_status(status, TF_OUT_OF_RANGE, "read %s: %s", name, VARINT_TOO_LARGE);
    return FAILED;
  }
  push_integer(L, (int64_t)value);
  return PUSHED;
}

/* Formats ------------------------------------------------------------------- */

static outcome read_format(lua_State *L, file_object *self, int arg, TF_Status *status) {
  if (lua_type(L, arg) == LUA_TNUMBER) {
    size_t count = (size_t)check_integer(L, arg);
    return count > 0 ? read_count(L, self, count, status) : read_nothing(L, self, status);
  }
  const char *format = lua_tostring(L, arg);
  switch (format[*format == '*']) {
  case 'n':
    return read_number(L, self, status);
  case 'v':
    return read_varint(L, self, status);
  case 'a':
    return read_bytes(L, self, SIZE_MAX, WINDOW, status);
  case 'L':
    return read_line(L, self, true, status);
  default:
    return read_line(L, self, false, status);
  }
}

int read_formats(lua_State *L, file_object *self, int first, int count) {
  TF_Status *status = state_status(L);
  uint64_t start = modfs_input_tell(file_input(L, self));
  int base = lua_gettop(L);
  if (count > 0) luaL_checkstack(L, count + LUA_MINSTACK, "too many arguments");
  for (int results = 0; results == 0 || results < count; results++) {
    outcome result = count == 0 ? read_line(L, self, false, status)
                                : read_format(L, self, first + results, status);
    if (result == PUSHED) continue;
    if (result == FAILED) {
      modfs_input_seek(self->input, start);
      return push_failure(L, status);
    }
    lua_settop(L, base + results);
    lua_pushnil(L);
    return results + 1;
  }
  return lua_gettop(L) - base;
}
