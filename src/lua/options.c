#include "options.h"

#include <limits.h>
#include <string.h>

const char *option_type_name(int type) {
  static const char *const names[TF_Filesystem_Num_Option_Types] = {
      [TF_Filesystem_Option_Type_Int] = "int",
      [TF_Filesystem_Option_Type_Real] = "real",
      [TF_Filesystem_Option_Type_Buffer] = "buffer"};
  return names[type];
}

static void options_end(void *block) {
  modfs_options_fini(block);
}

static modfs_options *guard_options(lua_State *L) {
  return guard_new(L, sizeof(modfs_options), options_end);
}

/* To Lua -------------------------------------------------------------------- */

static void push_element(lua_State *L, int type, const TF_Filesystem_Option_Value_Union *element) {
  if (type == TF_Filesystem_Option_Type_Int)
    push_integer(L, element->int_val);
  else if (type == TF_Filesystem_Option_Type_Real)
    lua_pushnumber(L, element->real_val);
  else if (element->buffer_val.buf_length <= 0)
    lua_pushliteral(L, "");
  else
    lua_pushlstring(L, element->buffer_val.buf, (size_t)element->buffer_val.buf_length);
}

/* One value is pushed as a scalar, any other number of them as an array. */
static void push_value(lua_State *L, const TF_Filesystem_Option_Value *value) {
  if (value->num_values == 1) {
    push_element(L, value->type_tag, value->values);
    return;
  }
  lua_createtable(L, value->num_values, 0);
  for (int i = 0; i < value->num_values; i++) {
    push_element(L, value->type_tag, &value->values[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_option(lua_State *L, const TF_Filesystem_Option *from) {
  lua_createtable(L, 0, 5);
  set_text(L, "name", from->name);
  set_text(L, "description", from->description);
  lua_pushboolean(L, from->per_file != 0);
  lua_setfield(L, -2, "per_file");
  set_text(L, "type", option_type_name(from->value->type_tag));
  push_value(L, from->value);
  lua_setfield(L, -2, "value");
}

/* Methods of Filesystem ----------------------------------------------------- */

static int push_options(lua_State *L, const modfs_options *options) {
  lua_createtable(L, options->count < INT_MAX ? (int)options->count : INT_MAX, 0);
  for (size_t i = 0; i < options->count; i++) {
    push_option(L, &options->items[i]);
    lua_rawseti(L, -2, (int)(i + 1));
  }
  return 1;
}

int fs_get_configuration(lua_State *L) {
  no_options(L, 2);
  const modfs_fs *fs = check_fs(L);
  TF_Status *status = state_status(L);
  modfs_options *options = guard_options(L);
  int guard = lua_gettop(L);
  modfs_fs_get_configuration(fs, options, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_options(L, options);
  guard_end(L, guard);
  return 1;
}

int fs_set_configuration(lua_State *L) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  if (!lua_istable(L, 2)) type_error(L, 2, "table");
  /* Accepts arrays only: a single option outside of an array would count as no options. */
  size_t count = lua_rawlen(L, 2), keys = 0;
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
    keys++;
  if (keys != count) arg_error(L, 2, "array of options expected");
  modfs_options *built = options_build(L, count);
  for (size_t i = 0; i < built->count; i++) {
    lua_rawgeti(L, 2, (int)(i + 1));
    option_read(L, 2, &built->items[i]);
    lua_pop(L, 1);
  }
  TF_Status *status = state_status(L);
  modfs_fs_set_configuration(fs, built, status);
  return push_done(L, status);
}

int fs_get_configuration_option(lua_State *L) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  const char *key = check_path(L, 2, NULL);
  if (!key) return 3;
  TF_Status *status = state_status(L);
  modfs_options *options = guard_options(L);
  int guard = lua_gettop(L);
  modfs_fs_get_configuration_option(fs, key, options, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_option(L, options->items);
  guard_end(L, guard);
  return 1;
}

int fs_set_configuration_option(lua_State *L) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  if (!lua_istable(L, 2)) type_error(L, 2, "table");
  modfs_options *built = options_build(L, 1);
  lua_pushvalue(L, 2);
  option_read(L, 2, built->items);
  TF_Status *status = state_status(L);
  modfs_fs_set_configuration_option(fs, built->items, status);
  return push_done(L, status);
}

int fs_get_configuration_keys(lua_State *L) {
  no_options(L, 2);
  const modfs_fs *fs = check_fs(L);
  TF_Status *status = state_status(L);
  modfs_string_list *names = guard_names(L);
  int guard = lua_gettop(L);
  modfs_fs_get_configuration_keys(fs, names, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_names(L, names);
  guard_end(L, guard);
  return 1;
}

/* modfs.config -------------------------------------------------------------- */

static int push_config(lua_State *L, const modfs_options *options) {
  lua_createtable(L, 0, (int)options->count);
  for (size_t i = 0; i < options->count; i++) {
    push_value(L, options->items[i].value);
    lua_setfield(L, -2, options->items[i].name);
  }
  return 1;
}

static const TF_Filesystem_Option *find_option(const modfs_options *options, const char *name) {
  for (size_t i = 0; i < options->count; i++)
    if (strcmp(options->items[i].name, name) == 0) return &options->items[i];
  return NULL;
}

static size_t count_values(lua_State *L, int arg) {
  size_t count = 0;
  for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      arg_error(L, arg, "name of an option expected, got %s", luaL_typename(L, -2));
    if (strlen(lua_tostring(L, -2)) != lua_rawlen(L, -2))
      arg_error(L, arg, "embedded NUL in the name of an option");
    count++;
  }
  return count;
}

/* Whether the plugin accepts options but lists none: then it alone can check them. */
static bool runners_alone(const modfs_fs *fs, const modfs_options *known) {
  size_t i = 0;
  while (strcmp(modfs_fs_operation_name(i), "set_filesystem_configuration") != 0)
    i++;
  return known->count == 0 && strcmp(modfs_fs_operation(fs, i), "plugin") == 0;
}

/* Converts the names and values at arg to options of the types in known; where the plugin alone can
 * check them, of the types that the values have. */
static const modfs_options *read_config(lua_State *L, int arg, const modfs_options *known,
                                        bool alone) {
  modfs_options *built = options_build(L, count_values(L, arg));
  TF_Filesystem_Option *next = built->items, *end = next + built->count;
  for (lua_pushnil(L); next < end && lua_next(L, arg); lua_pop(L, 1)) {
    const char *name = lua_tostring(L, -2);
    const TF_Filesystem_Option *same = find_option(known, name);
    if (!alone && !same) {
      push_failure_code(L, TF_NOT_FOUND, "config %s: no option \"%s\"", lua_tostring(L, 1), name);
      return NULL;
    }
    option_copy_name(L, name, next);
    option_read_value(L, arg, name, same ? same->value->type_tag : option_type_of(L), next++);
  }
  built->count = (size_t)(next - built->items); /* a finalizer may have removed some */
  return built;
}

/* Locates a failure by the scheme, as there is no path. */
static int push_config_failure(lua_State *L, const TF_Status *status) {
  const char *message = TF_Message(status), *rest = strstr(message, ": ");
  return push_failure_code(L, TF_GetCode(status), "config %s: %s", lua_tostring(L, 1),
                           rest ? rest + 2 : message);
}

static int options_config(lua_State *L) {
  no_options(L, 3);
  const char *scheme = check_path(L, 1, NULL);
  if (!scheme) return 3;
  bool sets = !lua_isnoneornil(L, 2);
  if (sets && !lua_istable(L, 2)) type_error(L, 2, "table");
  const modfs_fs *fs = find_scheme(L, scheme);
  if (!fs) return 3;
  TF_Status *status = state_status(L);
  modfs_options *known = guard_options(L);
  modfs_fs_get_configuration(fs, known, status);
  bool alone = sets && runners_alone(fs, known);
  bool fine = TF_GetCode(status) == TF_OK || (alone && TF_GetCode(status) == TF_UNIMPLEMENTED);
  if (!fine) return push_config_failure(L, status);
  if (!sets) return push_config(L, known);
  const modfs_options *built = read_config(L, 2, known, alone);
  if (!built) return 3;
  modfs_fs_set_configuration(fs, built, status);
  if (TF_GetCode(status) != TF_OK) return push_config_failure(L, status);
  lua_pushboolean(L, 1);
  return 1;
}

void modfs_lua_open_options(lua_State *L) {
  set_functions(L, FUNCTIONS({"config", options_config}));
}
