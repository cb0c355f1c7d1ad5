#include "bytes.h"

#include <limits.h>
#include <string.h>

#include "core/base/bytes.h"

void bytes_attach(bytes_view *view, modfs_bytes *bytes) {
  static char nothing;
  char *data = modfs_bytes_data(bytes);
  view->object.handle = bytes;
  view->data = data != NULL ? data : &nothing;
  view->length = modfs_bytes_length(bytes);
}

bool bytes_check_free(lua_State *L, const bytes_view *view) {
  const modfs_bytes *bytes = view->object.handle;
  if (!bytes || !bytes_is_locked(bytes)) return true;
  push_failure_code(L, TF_FAILED_PRECONDITION,
                    "%s: a job uses the buffer; wait for the job before writing to it",
                    function_name(L));
  return false;
}

void bytes_end(bytes_view *view) {
  object_join(&view->object);
  modfs_bytes *bytes = view->object.handle;
  view->object.handle = NULL;
  view->data = NULL;
  view->length = 0;
  modfs_bytes_drop(bytes);
}

static void drop_held(void *block) {
  modfs_bytes_drop(*(modfs_bytes **)block);
}

/* Where Lua may run finalizers before it copies, one more reference keeps the bytes alive. */
static void push_held(lua_State *L, const bytes_view *view, size_t offset, size_t n) {
  modfs_bytes **held = guard_new(L, sizeof *held, drop_held);
  *held = modfs_bytes_hold(handle_of(L, view));
  lua_pushlstring(L, view->data + offset, n);
  guard_end(L, -2);
  lua_replace(L, -2);
}

void bytes_push(lua_State *L, const bytes_view *view, size_t offset, size_t n) {
  if (n == 0)
    lua_pushliteral(L, "");
  else if (COMPAT_COPIES_FIRST)
    lua_pushlstring(L, view->data + offset, n);
  else
    push_held(L, view, offset, n);
}

/* Arguments ----------------------------------------------------------------- */

const char *check_bytes(lua_State *L, int arg, size_t *length) {
  if (lua_type(L, arg) == LUA_TNUMBER) { /* becomes the string that io would write */
    char text[64];
    lua_pushlstring(L, text, (size_t)compat_format_number(L, arg, text, sizeof text));
    lua_replace(L, arg);
  }
  if (lua_isstring(L, arg)) return lua_tolstring(L, arg, length);
  const modfs_class *class = &modfs_buffer_class;
  if (object_test(L, arg, class) == NULL) class = &modfs_region_class;
  if (object_test(L, arg, class) == NULL) type_error(L, arg, "string, Buffer or Region");
  const bytes_view *view = check_object(L, arg, class);
  *length = view->length;
  return view->length > 0 ? view->data : "";
}

modfs_bytes *bytes_retained(lua_State *L, int arg) {
  const bytes_view *view = object_test(L, arg, &modfs_buffer_class);
  if (view == NULL) view = object_test(L, arg, &modfs_region_class);
  return view != NULL && view->object.handle != NULL ? modfs_bytes_hold(view->object.handle) : NULL;
}

/* A position as an offset; before the first byte it is the first. */
static size_t offset_from(int64_t position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(int64_t)length) return 0;
  return (size_t)((int64_t)length + position);
}

/* The offset after the last byte of a range that ends at this position. */
static size_t end_from(int64_t position, size_t length) {
  if (position > (int64_t)length) return length;
  if (position >= 0) return (size_t)position;
  if (position < -(int64_t)length) return 0;
  return (size_t)((int64_t)length + position + 1);
}

size_t bytes_start(lua_State *L, const bytes_view *view, int arg) {
  return offset_from(opt_integer(L, arg, 1), view->length);
}

bool bytes_position(lua_State *L, const bytes_view *view, int arg, size_t *offset) {
  int64_t position = check_integer(L, arg);
  int64_t length = (int64_t)view->length;
  if (position < 0) position = position < -length ? 0 : position + length + 1;
  *offset = (size_t)(position - 1);
  return position >= 1 && position <= length + 1;
}

/* The range from position first to the position at arg, clipped as string.sub clips. */
static size_t range_to(lua_State *L, const bytes_view *view, size_t offset, int arg,
                       int64_t otherwise) {
  size_t end = end_from(opt_integer(L, arg, otherwise), view->length);
  return end > offset ? end - offset : 0;
}

/* Methods ------------------------------------------------------------------- */

int bytes_length(lua_State *L) {
  const bytes_view *view = self_here(L);
  push_count(L, view->length);
  return 1;
}

int bytes_sub(lua_State *L) {
  const bytes_view *view = self_here(L);
  size_t offset = offset_from(check_integer(L, 2), view->length);
  bytes_push(L, view, offset, range_to(L, view, offset, 3, -1));
  return 1;
}

int bytes_byte(lua_State *L) {
  const bytes_view *view = self_here(L);
  int64_t first = opt_integer(L, 2, 1);
  size_t offset = offset_from(first, view->length);
  size_t n = range_to(L, view, offset, 3, first);
  if (n >= INT_MAX) return luaL_error(L, "string slice too long");
  luaL_checkstack(L, (int)n, "string slice too long");
  for (size_t i = 0; i < n; i++)
    push_integer(L, (unsigned char)view->data[offset + i]);
  return (int)n;
}

int bytes_find(lua_State *L) {
  const bytes_view *view = self_here(L);
  size_t n;
  const char *needle = check_bytes(L, 2, &n);
  handle_of(L, view);
  size_t offset = bytes_start(L, view, 3);
  const char *found = NULL;
  if (offset <= view->length)
    found = n == 0 ? view->data + offset
                   : memmem(view->data + offset, view->length - offset, needle, n);
  if (offset > view->length || (n > 0 && found == NULL)) {
    lua_pushnil(L);
    return 1;
  }
  size_t at = n == 0 ? offset : (size_t)(found - view->data);
  push_count(L, at + 1);
  push_count(L, at + n);
  return 2;
}

int bytes_slice(lua_State *L) {
  const bytes_view *view = self_here(L);
  size_t offset = offset_from(check_integer(L, 2), view->length);
  size_t n = range_to(L, view, offset, 3, -1);
  bytes_view *slice = object_new(L, class_here(L));
  slice->object.handle = modfs_bytes_hold(handle_of(L, view));
  slice->data = view->data + (n > 0 ? offset : 0);
  slice->length = n;
  return 1;
}

int bytes_pointer(lua_State *L) {
  const bytes_view *view = self_here(L);
  lua_pushlightuserdata(L, view->data);
  return 1;
}

int bytes_close(lua_State *L) {
  bytes_end(self_here(L));
  lua_pushboolean(L, 1);
  return 1;
}

int bytes_collect(lua_State *L) {
  bytes_view *view = test_self(L, class_here(L));
  if (view != NULL) bytes_end(view);
  return 0;
}

int bytes_tostring(lua_State *L) {
  const bytes_view *view = check_self(L, class_here(L));
  const char *name = view->object.class->name;
  char text[64];
  if (view->object.handle == NULL)
    snprintf(text, sizeof text, "%s (closed)", name);
  else
    snprintf(text, sizeof text, "%s (%zu bytes)", name, view->length);
  lua_pushstring(L, text);
  return 1;
}

/* Lines --------------------------------------------------------------------- */

enum { LINES_OBJECT = 4, LINES_OFFSET, LINES_KEEP };

/* The iterator; its own upvalues are the object, the offset, and whether to keep \n. */
static int next_line(lua_State *L) {
  const bytes_view *view = lua_touserdata(L, lua_upvalueindex(LINES_OBJECT));
  handle_of(L, view);
  size_t offset = (size_t)lua_tonumber(L, lua_upvalueindex(LINES_OFFSET));
  if (offset >= view->length) {
    lua_pushnil(L);
    return 1;
  }
  const char *line = view->data + offset;
  const char *newline = memchr(line, '\n', view->length - offset);
  size_t n = newline != NULL ? (size_t)(newline - line) : view->length - offset;
  size_t taken = n + (newline != NULL);
  push_count(L, offset + taken);
  lua_replace(L, lua_upvalueindex(LINES_OFFSET));
  bytes_push(L, view, offset, lua_toboolean(L, lua_upvalueindex(LINES_KEEP)) ? taken : n);
  return 1;
}

int bytes_lines(lua_State *L) {
  self_here(L);
  const char *format = lua_isnoneornil(L, 2) ? "l" : check_string(L, 2, NULL);
  format += *format == '*';
  if (*format != 'l' && *format != 'L') return arg_error(L, 2, "invalid format");
  push_upvalues(L);
  lua_pushvalue(L, 1);
  push_count(L, 0);
  lua_pushboolean(L, *format == 'L');
  lua_pushcclosure(L, next_line, LINES_KEEP);
  return 1;
}
