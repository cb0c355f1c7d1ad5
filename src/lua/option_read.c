#include "options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* All memory is reachable from the guard's block at each step, so that no error leaks any. */

static void *allocate(lua_State *L, size_t count, size_t size) {
  void *block = calloc(count ? count : 1, size);
  if (!block) raise_no_memory(L);
  return block;
}

static char *copy_bytes(lua_State *L, const char *bytes, size_t length) {
  char *copy = allocate(L, length + 1, 1);
  memcpy(copy, bytes, length);
  return copy;
}

static void option_fini(TF_Filesystem_Option *built) {
  TF_Filesystem_Option_Value *value = built->value;
  bool buffers = value && value->type_tag == TF_Filesystem_Option_Type_Buffer;
  for (int i = 0; buffers && i < value->num_values; i++)
    free(value->values[i].buffer_val.buf);
  if (value) free(value->values);
  free(value);
  free(built->name);
  free(built->description);
}

static void built_end(void *block) {
  modfs_options *built = block;
  for (size_t i = 0; i < built->count; i++)
    option_fini(&built->items[i]);
  free(built->items);
}

modfs_options *options_build(lua_State *L, size_t count) {
  modfs_options *built = guard_new(L, sizeof *built, built_end);
  built->items = allocate(L, count, sizeof *built->items);
  built->count = count;
  return built;
}

static int wrong_field(lua_State *L, int arg, const char *field, const char *expected) {
  return arg_error(L, arg, "field '%s': %s expected, got %s", field, expected,
                   luaL_typename(L, -1));
}

/* Reads the value at the top of the stack. */
static void read_element(lua_State *L, int arg, const char *field, int type,
                         TF_Filesystem_Option_Value_Union *element) {
  if (type == TF_Filesystem_Option_Type_Int) {
    if (lua_type(L, -1) != LUA_TNUMBER || !compat_tointeger(L, -1, &element->int_val))
      wrong_field(L, arg, field, "integer");
  } else if (type == TF_Filesystem_Option_Type_Real) {
    if (lua_type(L, -1) != LUA_TNUMBER) wrong_field(L, arg, field, "number");
    element->real_val = lua_tonumber(L, -1);
  } else {
    size_t length;
    if (lua_type(L, -1) != LUA_TSTRING) wrong_field(L, arg, field, "string");
    const char *bytes = lua_tolstring(L, -1, &length);
    if (length > INT_MAX) arg_error(L, arg, "field '%s': string too long", field);
    element->buffer_val.buf = copy_bytes(L, bytes, length);
    element->buffer_val.buf_length = (int)length;
  }
}

static void read_array(lua_State *L, int arg, const char *field,
                       TF_Filesystem_Option_Value *value) {
  size_t count = lua_rawlen(L, -1);
  if (count > INT_MAX) arg_error(L, arg, "field '%s': too many values", field);
  value->values = allocate(L, count, sizeof *value->values);
  value->num_values = (int)count;
  for (int i = 0; i < value->num_values; i++) {
    lua_rawgeti(L, -1, i + 1);
    read_element(L, arg, field, value->type_tag, &value->values[i]);
    lua_pop(L, 1);
  }
}

void option_read_value(lua_State *L, int arg, const char *field, int type,
                       TF_Filesystem_Option *built) {
  TF_Filesystem_Option_Value *value = built->value = allocate(L, 1, sizeof *value);
  value->type_tag = type;
  if (lua_istable(L, -1)) {
    read_array(L, arg, field, value);
    return;
  }
  value->values = allocate(L, 1, sizeof *value->values);
  value->num_values = 1;
  read_element(L, arg, field, type, value->values);
}

static bool is_integer(lua_State *L) {
#if COMPAT_HAS_INTEGERS
  return lua_isinteger(L, -1);
#else
  int64_t value;
  return compat_tointeger(L, -1, &value);
#endif
}

static int element_type(lua_State *L) {
  if (lua_type(L, -1) == LUA_TSTRING) return TF_Filesystem_Option_Type_Buffer;
  bool real = lua_type(L, -1) == LUA_TNUMBER && !is_integer(L);
  return real ? TF_Filesystem_Option_Type_Real : TF_Filesystem_Option_Type_Int;
}

int option_type_of(lua_State *L) {
  if (!lua_istable(L, -1)) return element_type(L);
  int type = TF_Filesystem_Option_Type_Int, count = (int)lua_rawlen(L, -1);
  for (int i = 1; i <= count && type == TF_Filesystem_Option_Type_Int; i++) {
    lua_rawgeti(L, -1, i);
    type = element_type(L);
    lua_pop(L, 1);
  }
  return type;
}

static void push_field(lua_State *L, const char *field) {
  lua_pushstring(L, field);
  lua_rawget(L, -2);
}

static char *read_string(lua_State *L, int arg, const char *field, bool required) {
  push_field(L, field);
  char *copy = NULL;
  if (required || !lua_isnil(L, -1)) {
    if (lua_type(L, -1) != LUA_TSTRING) wrong_field(L, arg, field, "string");
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    if (strlen(text) != length) arg_error(L, arg, "field '%s': embedded NUL", field);
    copy = copy_bytes(L, text, length);
  }
  lua_pop(L, 1);
  return copy;
}

static int read_type(lua_State *L, int arg) {
  push_field(L, "type");
  if (lua_type(L, -1) != LUA_TSTRING) wrong_field(L, arg, "type", "string");
  const char *name = lua_tostring(L, -1);
  int type = 0;
  while (type < TF_Filesystem_Num_Option_Types && strcmp(name, option_type_name(type)) != 0)
    type++;
  if (type == TF_Filesystem_Num_Option_Types)
    arg_error(L, arg, "field 'type': \"int\", \"real\" or \"buffer\" expected, got \"%s\"", name);
  lua_pop(L, 1);
  return type;
}

static void check_fields(lua_State *L, int arg) {
  static const char *const allowed[] = {"name", "description", "per_file", "type", "value", NULL};
  if (!lua_istable(L, -1))
    arg_error(L, arg, "table of an option expected, got %s", luaL_typename(L, -1));
  check_keys(L, lua_gettop(L), arg, "field", allowed);
}

void option_read(lua_State *L, int arg, TF_Filesystem_Option *built) {
  check_fields(L, arg);
  built->name = read_string(L, arg, "name", true);
  built->description = read_string(L, arg, "description", false);
  push_field(L, "per_file");
  if (!lua_isnil(L, -1) && !lua_isboolean(L, -1)) wrong_field(L, arg, "per_file", "boolean");
  built->per_file = lua_toboolean(L, -1);
  lua_pop(L, 1);
  int type = read_type(L, arg);
  push_field(L, "value");
  if (lua_isnil(L, -1)) wrong_field(L, arg, "value", "value");
  option_read_value(L, arg, "value", type, built);
  lua_pop(L, 1);
}

void option_copy_name(lua_State *L, const char *name, TF_Filesystem_Option *built) {
  built->name = copy_bytes(L, name, strlen(name));
}
