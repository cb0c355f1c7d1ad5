/* The formats of io.read over a modfs_input. A finalizer may use or close the file wherever Lua
 * allocates: the bytes that peek has shown are used before that, and the input is fetched again
 * after it. */
#include "file.h"

#include <ctype.h>
#include <locale.h>
#include <string.h>

enum { CHUNK = 1024 * 1024, WINDOW = 64 * 1024, LONG_LINE = 128 * 1024, NUMBER_LENGTH = 200 };

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

typedef struct numeral {
  modfs_input *input;
  TF_Status *status;
  int next; /* the character not yet taken, or -1 */
  int length;
  char text[NUMBER_LENGTH + 1];
} numeral;

static void look(numeral *self) {
  const char *data;
  size_t n = modfs_input_peek(self->input, &data, self->status);
  self->next = n > 0 ? (unsigned char)*data : -1;
}

static bool take(numeral *self) {
  if (self->length >= NUMBER_LENGTH) {
    self->text[0] = '\0';
    return false;
  }
  self->text[self->length++] = (char)self->next;
  modfs_input_skip(self->input, 1);
  look(self);
  return true;
}

static bool take_one_of(numeral *self, char first, char second) {
  return (self->next == first || self->next == second) && take(self);
}

static int take_digits(numeral *self, bool hexadecimal) {
  int n = 0;
  while (self->next >= 0 && (hexadecimal ? isxdigit(self->next) : isdigit(self->next)) &&
         take(self))
    n++;
  return n;
}

static void take_numeral(numeral *self) {
  for (look(self); self->next >= 0 && isspace(self->next); look(self))
    modfs_input_skip(self->input, 1);
  take_one_of(self, '+', '-');
  int digits = 0;
  bool hexadecimal = false;
  if (take_one_of(self, '0', '0')) {
    hexadecimal = take_one_of(self, 'x', 'X');
    digits = !hexadecimal;
  }
  digits += take_digits(self, hexadecimal);
  if (take_one_of(self, '.', *localeconv()->decimal_point))
    digits += take_digits(self, hexadecimal);
  if (digits > 0 && take_one_of(self, hexadecimal ? 'p' : 'e', hexadecimal ? 'P' : 'E')) {
    take_one_of(self, '+', '-');
    take_digits(self, false);
  }
}

static bool push_numeral(lua_State *L, const char *text) {
#if COMPAT_HAS_INTEGERS
  return lua_stringtonumber(L, text) != 0;
#else
  lua_pushstring(L, text);
  if (!lua_isnumber(L, -1)) return false;
  lua_pushnumber(L, lua_tonumber(L, -1));
  lua_replace(L, -2);
  return true;
#endif
}

static outcome read_number(lua_State *L, file_object *self, TF_Status *status) {
  numeral number = {.input = file_input(L, self), .status = status};
  take_numeral(&number);
  if (TF_GetCode(status) != TF_OK) return FAILED;
  number.text[number.length] = '\0';
  return push_numeral(L, number.text) ? PUSHED : ENDED;
}

/* Varints: seven bits a byte, the lowest first; the eighth bit is set if more follow. ---------- */

static outcome fail_varint(const file_object *self, TF_Code code, const char *what,
                           TF_Status *status) {
  modfs_set_status(status, code, "read %s: %s", modfs_file_name(self->object.handle), what);
  return FAILED;
}

static outcome take_varint(const file_object *self, modfs_input *input, uint64_t *value,
                           TF_Status *status) {
  unsigned char byte = 0x80;
  *value = 0;
  for (unsigned shift = 0; byte >= 0x80; shift += 7) {
    const char *data;
    if (modfs_input_peek(input, &data, status) == 0) {
      if (shift == 0 || TF_GetCode(status) != TF_OK) return nothing_came(status);
      return fail_varint(self, TF_DATA_LOSS, "the file ends inside a varint", status);
    }
    byte = (unsigned char)*data;
    modfs_input_skip(input, 1);
    if (shift == 63 && byte > 1)
      return fail_varint(self, TF_DATA_LOSS, "varint longer than 64 bits", status);
    *value |= (uint64_t)(byte & 0x7f) << shift;
  }
  return PUSHED;
}

/* The 64 bits as a Lua integer, which is signed. */
static outcome read_varint(lua_State *L, file_object *self, TF_Status *status) {
  uint64_t value;
  outcome result = take_varint(self, file_input(L, self), &value, status);
  if (result != PUSHED) return result;
  if (!COMPAT_HAS_INTEGERS && value > UINT64_C(1) << 53)
    return fail_varint(self, TF_OUT_OF_RANGE,
                       "varint beyond 2^53 cannot be represented exactly by this Lua", status);
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
