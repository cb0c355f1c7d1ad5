#include "core/async/question.h"
#include "operation.h"
#include "poll.h"
#include "question.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char names_key = 0; /* of the table of functions' names */

/* Errors -------------------------------------------------------------------- */

const char *function_name(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(3));
  if (name) return name;
  const modfs_state *state = lua_touserdata(L, lua_upvalueindex(1));
  return state && state->job_name ? state->job_name : "?";
}

static bool called_as_method(lua_State *L) {
  lua_Debug call;
  if (!lua_getstack(L, 0, &call)) return false;
  lua_getinfo(L, "n", &call);
  return strcmp(call.namewhat, "method") == 0;
}

int arg_error(lua_State *L, int arg, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *what = lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  if (called_as_method(L) && --arg == 0)
    return luaL_error(L, "calling '%s' on bad self (%s)", function_name(L), what);
  return luaL_error(L, "bad argument #%d to '%s' (%s)", arg, function_name(L), what);
}

int type_error(lua_State *L, int arg, const char *expected) {
  const char *name = luaL_typename(L, arg);
  if (lua_type(L, arg) == LUA_TLIGHTUSERDATA) name = "light userdata";
  if (luaL_getmetafield(L, arg, "__name") && lua_type(L, -1) == LUA_TSTRING)
    name = lua_tostring(L, -1);
  return arg_error(L, arg, "%s expected, got %s", expected, name);
}

_Noreturn void raise_no_memory(lua_State *L) {
  luaL_error(L, "not enough memory");
  abort(); /* luaL_error does not return */
}

/* Classes ------------------------------------------------------------------- */

void push_upvalues(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushnil(L);
  lua_pushvalue(L, lua_upvalueindex(3));
}

enum { NAMES = 256 }; /* room for those that there are */

/* Pushes the table that keeps the names of functions for as long as the state, as Jobs point to them. */
static int push_names_table(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &names_key);
  if (!lua_istable(L, -1)) {
    lua_pop(L, 1);
    lua_createtable(L, 0, NAMES);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &names_key);
  }
  return lua_gettop(L);
}

/* Pushes a function's name, and keeps it in the table at an index. */
static void push_name(lua_State *L, int names, const char *name) {
  lua_pushstring(L, name);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, names);
}

void set_functions_with(lua_State *L, const luaL_Reg *functions, const char *const *words) {
  int table = lua_gettop(L), names = push_names_table(L), state;
  state_open(L);
  state = lua_gettop(L);
  for (; functions->name; functions++) {
    int count = 3;
    lua_pushvalue(L, state);
    lua_pushnil(L);
    push_name(L, names, functions->name);
    for (const char *const *word = words; *word; word++, count++) {
      luaL_checkstack(L, 2, "too many upvalues");
      lua_pushstring(L, *word);
    }
    lua_pushcclosure(L, functions->func, count);
    lua_setfield(L, table, functions->name);
  }
  lua_settop(L, table);
}

void set_functions(lua_State *L, const luaL_Reg *functions) {
  set_functions_with(L, functions, (const char *const[]){NULL});
}

/* The same for methods of a class; `table`: the index of its methods. */
static void set_methods(lua_State *L, const modfs_class *class, int table,
                        const luaL_Reg *methods) {
  int target = lua_gettop(L), names = push_names_table(L), state;
  state_open(L);
  state = lua_gettop(L);
  for (; methods->name; methods++) {
    lua_pushvalue(L, state);
    lua_pushvalue(L, table);
    push_name(L, names, methods->name);
    lua_pushlightuserdata(L, (void *)(uintptr_t) class);
    lua_pushcclosure(L, methods->func, 4);
    lua_setfield(L, target, methods->name);
  }
  lua_settop(L, target);
}

static int length_of(const luaL_Reg *functions) {
  int count = 0;
  while (functions[count].name)
    count++;
  return count;
}

const modfs_class *class_here(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(4));
}

static int object_collect(lua_State *L) {
  modfs_object *self = test_self(L, class_here(L));
  if (self) object_end(self);
  return 0;
}

static void set_close(lua_State *L) {
  lua_getfield(L, -1, "__close");
  if (lua_isnil(L, -1)) {
    lua_getfield(L, -2, "__gc");
    lua_setfield(L, -3, "__close");
  }
  lua_pop(L, 1);
}

static bool class_is_known(lua_State *L, const modfs_class *class) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  bool known = lua_istable(L, -1);
  lua_pop(L, 1);
  return known;
}

void class_new(lua_State *L, const modfs_class *class, const luaL_Reg *methods,
               const luaL_Reg *metamethods) {
  if (class_is_known(L, class)) return;
  lua_createtable(L, 0, length_of(methods));
  int table = lua_gettop(L);
  set_methods(L, class, table, methods);
  lua_createtable(L, 0, length_of(metamethods) + 5); /* and those that are set below */
  lua_pushstring(L, class->name);
  lua_setfield(L, -2, "__name");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, table);
  lua_setfield(L, -2, "__index");
  set_methods(L, class, table, FUNCTIONS({"__gc", object_collect}));
  set_methods(L, class, table, metamethods);
  if (COMPAT_HAS_CLOSE) set_close(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, class);
  lua_pop(L, 1);
}

/* The block is that of the userdata at the top of the stack. */
static void *object_init(lua_State *L, modfs_object *object, const modfs_class *class) {
  memset(object, 0, class->size);
  object->class = class;
  lua_rawgetp(L, LUA_REGISTRYINDEX, class);
  lua_setmetatable(L, -2);
  return object;
}

void *object_new(lua_State *L, const modfs_class *class) {
  return object_init(L, compat_newuserdata(L, class->size), class);
}

void *object_new_with_value(lua_State *L, const modfs_class *class) {
  return object_init(L, compat_newuserdata_with_value(L, class->size), class);
}

/* A metatable can be forged with debug.setmetatable; length and class of a block cannot. */
void *test_self(lua_State *L, const modfs_class *class) {
  return object_test(L, 1, class);
}

void *check_self(lua_State *L, const modfs_class *class) {
  void *block = test_self(L, class);
  if (!block) type_error(L, 1, class->name);
  return block;
}

/* Jobs that ask the script can go on only when they are answered. */
static void await_turn(lua_State *L, const modfs_object *object) {
  for (strand_state state; (state = strand_wait(object->strand)) != STRAND_IDLE;) {
    if (state == STRAND_HEARD) luaL_error(L, MODFS_OWN_OPERATION);
    callbacks_poll(L, 0.01);
    if (!object->strand) return;
  }
}

/* A plain call comes after the jobs on the same object that were started before it. */
void *handle_in_turn(lua_State *L, const modfs_object *object) {
  if (object->handle && object->strand && !operation_is_deferred(L)) await_turn(L, object);
  if (!object->handle) luaL_error(L, "attempt to use a closed %s", object->class->noun);
  return object->handle;
}

void object_await(const modfs_object *object) {
  if (object->strand) modfs_strand_wait(object->strand, true);
}

void *check_open(lua_State *L, const modfs_class *class) {
  modfs_object *object = check_self(L, class);
  handle_of(L, object);
  return object;
}

void *self_here(lua_State *L) {
  return check_open(L, class_here(L));
}

void *check_object(lua_State *L, int arg, const modfs_class *class) {
  void *block = object_test(L, arg, class);
  if (!block) type_error(L, arg, class->name);
  handle_of(L, block);
  return block;
}

void object_join(modfs_object *object) {
  modfs_strand *strand = object->strand;
  object->strand = NULL;
  modfs_strand_close(strand);
}

void object_end(modfs_object *object) {
  object_join(object);
  void *handle = object->handle;
  object->handle = NULL;
  if (handle && object->class->release) object->class->release(handle);
}

int object_close(lua_State *L) {
  object_end(self_here(L));
  lua_pushboolean(L, 1);
  return 1;
}

int object_tostring(lua_State *L) {
  const modfs_object *self = check_self(L, class_here(L));
  lua_pushfstring(L, "%s (%s)", self->class->name, self->handle ? "open" : "closed");
  return 1;
}

/* Strings and numbers ------------------------------------------------------- */

const char *check_string(lua_State *L, int arg, size_t *length) {
  const char *string = lua_tolstring(L, arg, length);
  if (!string) type_error(L, arg, "string");
  return string;
}

const char *refuse_nul(lua_State *L, int arg, const char *path) {
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s %s: embedded NUL after byte %zu of argument #%d",
                    function_name(L), path, strlen(path), arg);
  return NULL;
}

static int no_integer(lua_State *L, int arg) {
  if (!lua_isnumber(L, arg)) type_error(L, arg, "number");
  return arg_error(L, arg, "number has no integer representation");
}

int64_t check_integer(lua_State *L, int arg) {
  int64_t value = 0;
  return compat_tointeger(L, arg, &value) ? value : no_integer(L, arg);
}

int64_t check_nanoseconds(lua_State *L, int arg) {
  int64_t value = 0;
  return compat_tonanoseconds(L, arg, &value) ? value : no_integer(L, arg);
}

int64_t opt_integer(lua_State *L, int arg, int64_t otherwise) {
  return lua_isnoneornil(L, arg) ? otherwise : check_integer(L, arg);
}

/* What a message names after the function: the path at 1, or that of the object at 1; "" for none.
 */
static const char *path_here(lua_State *L) {
  const modfs_object *file = object_test(L, 1, &modfs_file_class);
  const modfs_object *records = object_test(L, 1, &modfs_record_reader_class);
  if (file && file->handle) return modfs_file_name(file->handle);
  if (records && records->handle) return record_reader_name(records->handle);
  return lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : "";
}

static void push_out_of_range(lua_State *L, const char *what) {
  const char *path = path_here(L);
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s%s%s: %s", function_name(L), *path ? " " : "", path,
                    what);
}

static void push_negative(lua_State *L, const char *name, int64_t integer) {
  char what[80];
  snprintf(what, sizeof what, "%s %" PRId64 " is negative", name, integer);
  push_out_of_range(L, what);
}

bool check_offset(lua_State *L, int arg, const char *name, uint64_t *value) {
  int64_t integer = 0;
  if (!compat_tointeger(L, arg, &integer)) no_integer(L, arg);
  *value = (uint64_t)integer;
  if (integer >= 0) return true;
  push_negative(L, name, integer);
  return false;
}

bool check_count(lua_State *L, int arg, const char *name, size_t *value) {
  char what[80];
  uint64_t wide;
  if (!check_offset(L, arg, name, &wide)) return false;
  *value = (size_t)wide;
  if (*value == wide) return true;
  snprintf(what, sizeof what, "%s %" PRIu64 " is too large", name, wide);
  push_out_of_range(L, what);
  return false;
}

/* Options ------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *list) {
  for (; *list; list++)
    if (strcmp(name, *list) == 0) return true;
  return false;
}

void check_keys(lua_State *L, int table, int arg, const char *what, const char *const *allowed) {
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      arg_error(L, arg, "unknown %s of type %s", what, luaL_typename(L, -2));
    const char *key = lua_tostring(L, -2);
    if (!is_among(key, allowed)) arg_error(L, arg, "unknown %s '%s'", what, key);
  }
}

bool check_options(lua_State *L, int arg, const char *const *allowed) {
  if (lua_isnoneornil(L, arg)) return false;
  if (!lua_istable(L, arg)) type_error(L, arg, "table");
  check_keys(L, arg, arg, "option", allowed);
  return true;
}

void refuse_options(lua_State *L, int arg) {
  if (lua_istable(L, arg)) check_keys(L, arg, arg, "option", (const char *const[]){NULL});
}

static bool push_option(lua_State *L, int arg, const char *key) {
  if (lua_isnoneornil(L, arg)) return false;
  lua_pushstring(L, key);
  lua_rawget(L, arg);
  if (!lua_isnil(L, -1)) return true;
  lua_pop(L, 1);
  return false;
}

bool option_boolean(lua_State *L, int arg, const char *key, bool otherwise) {
  if (!push_option(L, arg, key)) return otherwise;
  if (!lua_isboolean(L, -1))
    arg_error(L, arg, "option '%s': boolean expected, got %s", key, luaL_typename(L, -1));
  bool value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

bool push_option_function(lua_State *L, int arg, const char *key) {
  if (!push_option(L, arg, key)) return false;
  if (!lua_isfunction(L, -1))
    arg_error(L, arg, "option '%s': function expected, got %s", key, luaL_typename(L, -1));
  return true;
}

const char *option_string(lua_State *L, int arg, const char *key, const char *otherwise) {
  if (!push_option(L, arg, key)) return otherwise;
  if (lua_type(L, -1) != LUA_TSTRING)
    arg_error(L, arg, "option '%s': string expected, got %s", key, luaL_typename(L, -1));
  size_t length;
  const char *value = lua_tolstring(L, -1, &length);
  if (strlen(value) != length) arg_error(L, arg, "option '%s': embedded NUL", key);
  return value;
}
