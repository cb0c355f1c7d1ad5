/* string.pack and string.unpack of Lua 5.4, working on memory directly. */
#include "bytes.h"

#include <limits.h>
#include <string.h>

enum { INTEGER_SIZE = 8, MAX_INTEGER_SIZE = 16, NATIVE_ALIGN = 8 };

typedef enum pack_kind {
  KIND_UNKNOWN,
  KIND_SIGNED,
  KIND_UNSIGNED,
  KIND_FLOAT,
  KIND_DOUBLE,
  KIND_CHARS,  /* c[n] */
  KIND_STRING, /* s[n] */
  KIND_ZERO,   /* z */
  KIND_PADDING,
  KIND_ALIGN,
  KIND_NOTHING
} pack_kind;

typedef struct pack_format {
  int arg;
  const char *next;
  bool little;
  size_t max_align;
} pack_format;

typedef struct pack_item {
  pack_kind kind;
  size_t size;
  size_t gap; /* bytes of padding before it, for alignment */
} pack_item;

static pack_format format_open(lua_State *L, int arg) {
  bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  return (pack_format){
      .arg = arg, .next = check_string(L, arg, NULL), .little = little, .max_align = 1};
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static int read_number(pack_format *format, int otherwise) {
  if (!is_digit(*format->next)) return otherwise;
  int number = 0;
  do {
    number = number * 10 + (*format->next++ - '0');
  } while (is_digit(*format->next) && number <= (INT_MAX - 9) / 10);
  return number;
}

static size_t read_size(lua_State *L, pack_format *format, size_t otherwise) {
  int size = read_number(format, (int)otherwise);
  if (size <= 0 || size > MAX_INTEGER_SIZE)
    luaL_error(L, "integral size (%d) out of limits [1,%d]", size, MAX_INTEGER_SIZE);
  return (size_t)size;
}

static size_t read_chars_size(lua_State *L, pack_format *format) {
  int size = read_number(format, -1);
  if (size < 0) luaL_error(L, "missing size for format option 'c'");
  return (size_t)size;
}

static pack_item set_order(pack_format *format, bool little) {
  format->little = little;
  return (pack_item){.kind = KIND_NOTHING};
}

static const pack_item fixed_items[UCHAR_MAX + 1] = {
    ['b'] = {KIND_SIGNED, sizeof(char), 0},
    ['B'] = {KIND_UNSIGNED, sizeof(char), 0},
    ['h'] = {KIND_SIGNED, sizeof(short), 0},
    ['H'] = {KIND_UNSIGNED, sizeof(short), 0},
    ['l'] = {KIND_SIGNED, sizeof(long), 0},
    ['L'] = {KIND_UNSIGNED, sizeof(long), 0},
    ['j'] = {KIND_SIGNED, INTEGER_SIZE, 0},
    ['J'] = {KIND_UNSIGNED, INTEGER_SIZE, 0},
    ['T'] = {KIND_UNSIGNED, sizeof(size_t), 0},
    ['f'] = {KIND_FLOAT, sizeof(float), 0},
    ['d'] = {KIND_DOUBLE, sizeof(double), 0},
    ['n'] = {KIND_DOUBLE, sizeof(double), 0},
    ['z'] = {KIND_ZERO, 0, 0},
    ['x'] = {KIND_PADDING, 1, 0},
    ['X'] = {KIND_ALIGN, 0, 0},
    [' '] = {KIND_NOTHING, 0, 0},
};

static pack_item read_option(lua_State *L, pack_format *format) {
  char option = *format->next++;
  switch (option) {
  case 'i':
    return (pack_item){KIND_SIGNED, read_size(L, format, sizeof(int)), 0};
  case 'I':
    return (pack_item){KIND_UNSIGNED, read_size(L, format, sizeof(int)), 0};
  case 's':
    return (pack_item){KIND_STRING, read_size(L, format, sizeof(size_t)), 0};
  case 'c':
    return (pack_item){KIND_CHARS, read_chars_size(L, format), 0};
  case '<':
    return set_order(format, true);
  case '>':
    return set_order(format, false);
  case '=':
    return set_order(format, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  case '!':
    format->max_align = read_size(L, format, NATIVE_ALIGN);
    return (pack_item){KIND_NOTHING, 0, 0};
  default:
    break;
  }
  pack_item item = fixed_items[(unsigned char)option];
  if (item.kind == KIND_UNKNOWN) luaL_error(L, "invalid format option '%c'", option);
  return item;
}

static pack_item next_item(lua_State *L, pack_format *format, size_t offset) {
  pack_item item = read_option(L, format);
  size_t align = item.size;
  if (item.kind == KIND_ALIGN) {
    bool more = *format->next != '\0';
    pack_item next = more ? read_option(L, format) : item;
    if (next.kind == KIND_CHARS || next.size == 0)
      arg_error(L, format->arg, "invalid next option for option 'X'");
    align = next.size;
  }
  if (align <= 1 || item.kind == KIND_CHARS || item.kind == KIND_PADDING) return item;
  if (align > format->max_align) align = format->max_align;
  if ((align & (align - 1)) != 0)
    arg_error(L, format->arg, "format asks for alignment not power of 2");
  item.gap = (align - (offset & (align - 1))) & (align - 1);
  return item;
}

/* Unpacking ----------------------------------------------------------------- */

static int64_t get_integer(lua_State *L, const char *data, const pack_item *item, bool little) {
  uint64_t value = 0;
  size_t size = item->size;
  for (size_t i = size < INTEGER_SIZE ? size : INTEGER_SIZE; i-- > 0;)
    value = value << CHAR_BIT | (unsigned char)data[little ? i : size - 1 - i];
  if (size > 0 && size < INTEGER_SIZE && item->kind == KIND_SIGNED) {
    uint64_t sign = UINT64_C(1) << (size * CHAR_BIT - 1);
    value = (value ^ sign) - sign;
  }
  unsigned char rest = item->kind == KIND_SIGNED && (int64_t)value < 0 ? UCHAR_MAX : 0;
  for (size_t i = INTEGER_SIZE; i < size; i++)
    if ((unsigned char)data[little ? i : size - 1 - i] != rest)
      luaL_error(L, "%d-byte integer does not fit into Lua Integer", (int)size);
  return (int64_t)value;
}

static void copy_ordered(char *to, const char *from, size_t size, bool little) {
  bool same = little == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  for (size_t i = 0; i < size; i++)
    to[i] = from[same ? i : size - 1 - i];
}

static void push_float(lua_State *L, const char *data, const pack_item *item, bool little) {
  float single = 0;
  double number = 0;
  if (item->kind == KIND_FLOAT) {
    copy_ordered((char *)&single, data, sizeof single, little);
    number = single;
  } else {
    copy_ordered((char *)&number, data, sizeof number, little);
  }
  lua_pushnumber(L, number);
}

static void check_left(lua_State *L, const pack_format *format, size_t wanted, size_t left) {
  if (wanted > left) arg_error(L, format->arg, "data string too short");
}

/* Pushes s or z; returns how many bytes it takes beyond item->size. */
static size_t push_item_text(lua_State *L, const bytes_view *view, const pack_format *format,
                             const pack_item *item, size_t offset) {
  const char *data = view->data + offset;
  size_t left = view->length - offset - item->size;
  if (item->kind == KIND_STRING) {
    pack_item prefix = {KIND_UNSIGNED, item->size, 0};
    uint64_t n = (uint64_t)get_integer(L, data, &prefix, format->little);
    check_left(L, format, n, left);
    bytes_push(L, view, offset + item->size, n);
    return n;
  }
  const char *end = left > 0 ? memchr(data, '\0', left) : NULL;
  if (end == NULL) arg_error(L, format->arg, "unfinished string for format 'z'");
  size_t n = (size_t)(end - data);
  bytes_push(L, view, offset, n);
  return n + 1;
}

/* Pushes the value of an item, if it has one; returns how many bytes that took. */
static size_t push_item(lua_State *L, const bytes_view *view, const pack_format *format,
                        const pack_item *item, size_t offset) {
  const char *data = view->data + offset;
  switch (item->kind) {
  case KIND_SIGNED:
    push_integer(L, get_integer(L, data, item, format->little));
    return item->size;
  case KIND_UNSIGNED: {
    int64_t value = get_integer(L, data, item, format->little);
    if (COMPAT_HAS_INTEGERS || value >= 0)
      push_integer(L, value);
    else
      push_count(L, (uint64_t)value);
    return item->size;
  }
  case KIND_FLOAT:
  case KIND_DOUBLE:
    push_float(L, data, item, format->little);
    return item->size;
  case KIND_CHARS:
    bytes_push(L, view, offset, item->size);
    return item->size;
  case KIND_STRING:
  case KIND_ZERO:
    return item->size + push_item_text(L, view, format, item, offset);
  default:
    return item->size;
  }
}

int bytes_unpack(lua_State *L) {
  const bytes_view *view = self_here(L);
  pack_format format = format_open(L, 2);
  size_t offset = bytes_start(L, view, 3);
  lua_settop(L, 2);
  if (offset > view->length) return arg_error(L, 3, "initial position out of string");
  while (*format.next != '\0') {
    pack_item item = next_item(L, &format, offset);
    luaL_checkstack(L, 2 + LUA_MINSTACK, "too many results");
    handle_of(L, view);
    size_t left = offset <= view->length ? view->length - offset : 0;
    check_left(L, &format, item.gap + item.size, left);
    offset += item.gap;
    offset += push_item(L, view, &format, &item, offset);
  }
  push_count(L, offset + 1);
  return lua_gettop(L) - 2;
}

/* Packing ------------------------------------------------------------------- */

static void put_integer(char *out, uint64_t value, size_t size, bool little, bool negative) {
  for (size_t i = 0; i < size; i++) {
    unsigned rest = negative ? UCHAR_MAX : 0;
    unsigned byte = i < INTEGER_SIZE ? (unsigned)(value >> (i * CHAR_BIT)) & UCHAR_MAX : rest;
    out[little ? i : size - 1 - i] = (char)byte;
  }
}

static void check_fits(lua_State *L, int arg, int64_t value, const pack_item *item) {
  if (item->size >= INTEGER_SIZE) return;
  if (item->kind == KIND_SIGNED) {
    int64_t limit = INT64_C(1) << (item->size * CHAR_BIT - 1);
    if (value < -limit || value >= limit) arg_error(L, arg, "integer overflow");
  } else if ((uint64_t)value >> (item->size * CHAR_BIT) != 0) {
    arg_error(L, arg, "unsigned overflow");
  }
}

static void put_float(char *out, double number, const pack_item *item, bool little) {
  float single = (float)number;
  if (item->kind == KIND_FLOAT)
    copy_ordered(out, (const char *)&single, sizeof single, little);
  else
    copy_ordered(out, (const char *)&number, sizeof number, little);
}

/* c, s and z: checks, writes unless out is NULL, and returns the size. */
static size_t pack_text(lua_State *L, int arg, const pack_item *item, bool little, char *out) {
  size_t n;
  const char *text = check_string(L, arg, &n);
  size_t head = item->kind == KIND_STRING ? item->size : 0;
  size_t total = item->kind == KIND_CHARS ? item->size : head + n + (item->kind == KIND_ZERO);
  if (item->kind == KIND_CHARS && n > item->size)
    arg_error(L, arg, "string longer than given size");
  if (head > 0 && head < sizeof n && n >> (head * CHAR_BIT) != 0)
    arg_error(L, arg, "string length does not fit in given size");
  if (item->kind == KIND_ZERO && memchr(text, '\0', n) != NULL)
    arg_error(L, arg, "string contains zeros");
  if (out == NULL) return total;
  put_integer(out, n, head, little, false);
  memcpy(out + head, text, n);
  memset(out + head + n, 0, total - head - n);
  return total;
}

/* Takes a value from arg where the item has one; returns how many bytes it takes. */
static size_t pack_value(lua_State *L, int *arg, const pack_item *item, bool little, char *out) {
  switch (item->kind) {
  case KIND_SIGNED:
  case KIND_UNSIGNED: {
    int64_t value = check_integer(L, *arg);
    check_fits(L, (*arg)++, value, item);
    bool negative = item->kind == KIND_SIGNED && value < 0;
    if (out != NULL) put_integer(out, (uint64_t)value, item->size, little, negative);
    return item->size;
  }
  case KIND_FLOAT:
  case KIND_DOUBLE: {
    double number = luaL_checknumber(L, (*arg)++);
    if (out != NULL) put_float(out, number, item, little);
    return item->size;
  }
  case KIND_CHARS:
  case KIND_STRING:
  case KIND_ZERO:
    return pack_text(L, (*arg)++, item, little, out);
  default:
    if (out != NULL) memset(out, 0, item->size);
    return item->size;
  }
}

/* Packs the values from 4 on; with data NULL only checks and counts. Returns the offset of the end.
 */
static size_t pack_all(lua_State *L, size_t offset, char *data) {
  pack_format format = format_open(L, 3);
  int arg = 4;
  while (*format.next != '\0') {
    pack_item item = next_item(L, &format, offset);
    if (data != NULL) memset(data + offset, 0, item.gap);
    offset += item.gap;
    offset += pack_value(L, &arg, &item, format.little, data != NULL ? data + offset : NULL);
  }
  return offset;
}

int bytes_pack(lua_State *L) {
  bytes_view *view = self_here(L);
  size_t offset = 0;
  bool inside = bytes_position(L, view, 2, &offset);
  size_t end = pack_all(L, offset, NULL); /* also converts numbers to strings where needed */
  handle_of(L, view);
  if (!inside || end > view->length)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "pack: beyond the end of the buffer");
  if (!bytes_check_free(L, view)) return 3;
  pack_all(L, offset, view->data);
  lua_pushboolean(L, 1);
  return 1;
}
