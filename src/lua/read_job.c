/* The formats of io.read for a job: the values are made in memory of C, and pushed when the job is
 * done. The formats are checked by the binding, and encoded in the operation's data. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "numeral.h"
#include "operation.h"

enum { WINDOW = 64 * 1024, MOST_VALUES = 4096 };

typedef struct format {
  char kind; /* as in Lua; 'c': a count */
  size_t count;
} format;

typedef struct value {
  enum { NOTHING, TEXT, NUMERAL, VARINT } kind;
  char *text;
  size_t length, room;
  uint64_t varint;
} value;

/* What is read; "made" of the operation. */
typedef struct values {
  size_t count, room;
  value *items;
} values;

/* Values ------------------------------------------------------------------------- */

static void out_of_memory(TF_Status *status) {
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "read: out of memory");
}

/* Room for n bytes behind the text; NULL when memory is short. */
static char *value_room(value *self, size_t n, TF_Status *status) {
  if (self->room - self->length >= n) return self->text + self->length;
  size_t room = self->length + (n > self->length ? n : self->length);
  char *text = realloc(self->text, room);
  if (!text) {
    out_of_memory(status);
    return NULL;
  }
  self->text = text;
  self->room = room;
  return text + self->length;
}

static bool value_add(value *self, const char *data, size_t n, TF_Status *status) {
  char *room = value_room(self, n, status);
  if (room && n > 0) memcpy(room, data, n);
  self->length += room ? n : 0;
  return room != NULL;
}

static value *values_add(values *self, TF_Status *status) {
  if (self->count == self->room) {
    size_t room = self->room > 0 ? 2 * self->room : 16;
    value *items = realloc(self->items, room * sizeof *items);
    if (!items) {
      out_of_memory(status);
      return NULL;
    }
    self->items = items;
    self->room = room;
  }
  value *added = &self->items[self->count++];
  *added = (value){.kind = NOTHING};
  return added;
}

static void values_cut(values *self, size_t count) {
  while (self->count > count)
    free(self->items[--self->count].text);
}

/* Reading -------------------------------------------------------------------------- */

/* Each of these leaves the value's kind at NOTHING at the end of the file, and on failure. */

static void read_line(modfs_input *input, value *self, bool keep, TF_Status *status) {
  const char *data, *newline = NULL;
  size_t n;
  while (!newline && (n = modfs_input_peek(input, &data, status)) > 0) {
    newline = memchr(data, '\n', n);
    if (newline) n = (size_t)(newline - data) + 1;
    if (!value_add(self, data, n, status)) return;
    modfs_input_skip(input, n);
    self->kind = TEXT;
  }
  if (newline && !keep) self->length--;
}

static void read_bytes(modfs_input *input, value *self, size_t count, TF_Status *status) {
  int64_t came = 1;
  while (self->length < count && came > 0) {
    size_t left = count - self->length;
    char *room = value_room(self, left < WINDOW ? left : WINDOW, status);
    if (!room) return;
    size_t space = self->room - self->length;
    came = modfs_input_read(input, room, space < left ? space : left, status);
    if (came > 0) self->length += (size_t)came;
    modfs_job_report(self->length, 0, 0, 0);
  }
  if (came >= 0) self->kind = TEXT;
}

static void read_count(modfs_input *input, value *self, size_t count, TF_Status *status) {
  const char *data;
  if (count == 0) {
    if (modfs_input_peek(input, &data, status) > 0) self->kind = TEXT;
    return;
  }
  read_bytes(input, self, count, status);
  if (self->length == 0) self->kind = NOTHING;
}

/* A numeral is valid for Lua if the C library takes all of it. */
static void read_numeral(modfs_input *input, value *self, TF_Status *status) {
  numeral number = {.input = input, .status = status};
  char *end = number.text;
  numeral_take(&number);
  if (TF_GetCode(status) != TF_OK || !*number.text) return;
  strtod(number.text, &end);
  if (*end == '\0' && value_add(self, number.text, strlen(number.text) + 1, status))
    self->kind = NUMERAL;
}

static void read_varint(operation *self, value *to, TF_Status *status) {
  if (!varint_take(self->handle, self->path, &to->varint, status)) return;
  if (COMPAT_HAS_INTEGERS || to->varint <= UINT64_C(1) << 53)
    to->kind = VARINT;
  else
    modfs_set_status(status, TF_OUT_OF_RANGE, "read %s: %s", self->path, VARINT_TOO_LARGE);
}

static void read_value(operation *self, const format *wanted, value *to, TF_Status *status) {
  modfs_input *input = self->handle;
  switch (wanted->kind) {
  case 'c':
    read_count(input, to, wanted->count, status);
    break;
  case 'n':
    read_numeral(input, to, status);
    break;
  case 'v':
    read_varint(self, to, status);
    break;
  case 'a':
    read_bytes(input, to, SIZE_MAX, status);
    break;
  default:
    read_line(input, to, wanted->kind == 'L', status);
  }
}

/* One value for each format, up to the first one that is missing. False when there was none, and on
 * failure: then the position does not change. */
static bool read_round(operation *self, values *all, TF_Status *status) {
  const format *formats = (const format *)(const void *)self->data;
  uint64_t start = modfs_input_tell(self->handle);
  size_t before = all->count;
  value *last = NULL;
  TF_SetStatus(status, TF_OK, "");
  for (uint64_t i = 0; i < self->n && (!last || last->kind != NOTHING); i++) {
    last = values_add(all, status);
    if (last) read_value(self, &formats[i], last, status);
    if (TF_GetCode(status) == TF_OK) continue;
    modfs_input_seek(self->handle, start);
    values_cut(all, before);
    return false;
  }
  return last && last->kind != NOTHING;
}

/* A failure behind values that were read is left to the next call. */
static void formats_run(operation *self, TF_Status *status) {
  values *all = self->made = calloc(1, sizeof *all);
  if (!all) {
    out_of_memory(status);
    return;
  }
  bool more = read_round(self, all, status);
  if (!self->answer) return;
  uint64_t end = modfs_input_tell(self->handle) + WINDOW;
  while (more && modfs_input_tell(self->handle) < end && all->count < MOST_VALUES)
    more = read_round(self, all, status);
  if (TF_GetCode(status) != TF_OK && all->count > 0) TF_SetStatus(status, TF_OK, "");
}

/* Results -------------------------------------------------------------------------- */

static void push_value(lua_State *L, const value *self) {
  if (self->kind == NOTHING || (self->kind == NUMERAL && !numeral_push(L, self->text)))
    lua_pushnil(L);
  else if (self->kind == TEXT)
    lua_pushlstring(L, self->length > 0 ? self->text : "", self->length);
  else if (self->kind == VARINT)
    push_integer(L, (int64_t)self->varint);
}

static int push_table(lua_State *L, const values *all) {
  lua_createtable(L, (int)all->count, 1);
  for (size_t i = 0; i < all->count; i++) {
    push_value(L, &all->items[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_pushinteger(L, (lua_Integer)all->count);
  lua_setfield(L, -2, "n");
  return 1;
}

static int formats_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  const values *all = self->made;
  if (self->answer) return push_table(L, all);
  luaL_checkstack(L, (int)all->count + LUA_MINSTACK, "too many results");
  for (size_t i = 0; i < all->count; i++)
    push_value(L, &all->items[i]);
  return (int)all->count;
}

static void formats_fini(operation *self) {
  values *all = self->made;
  if (!all) return;
  values_cut(all, 0);
  free(all->items);
  free(all);
}

/* Starting ------------------------------------------------------------------------- */

static format format_at(lua_State *L, int arg) {
  if (lua_type(L, arg) == LUA_TNUMBER) return (format){'c', (size_t)check_integer(L, arg)};
  const char *text = lua_tostring(L, arg);
  return (format){text[*text == '*'], 0};
}

int start_reading(lua_State *L, file_object *self, int first, int count, bool ahead) {
  static const operation_kind kind = {formats_run, formats_push, formats_fini, true};
  format *formats = compat_newuserdata(L, ((size_t)count + 1) * sizeof *formats);
  formats[0] = (format){'l', 0};
  for (int i = 0; i < count; i++)
    formats[i] = format_at(L, first + i);
  if (count == 0) count = 1;
  modfs_input *input = file_input(L, self);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .path = modfs_file_name(self->object.handle),
                                           .handle = input,
                                           .object = &self->object,
                                           .turn = OPERATION_ORDERED,
                                           .data = (const char *)formats,
                                           .length = (size_t)count * sizeof *formats,
                                           .n = (uint64_t)count,
                                           .answer = ahead});
}
