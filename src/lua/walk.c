#include "choice.h"
#include "collect.h"
#include "operation.h"

#include <string.h>

typedef struct walk_object {
  modfs_object object;
  script_filter filter;
} walk_object;

static void walk_release(void *handle) {
  modfs_walk_close(handle);
}

const modfs_class modfs_walk_class = {"modfs.Walk", "walk", "walk", sizeof(walk_object),
                                      walk_release};

/* The closure's own upvalues, after the three of every function. */
enum { OBJECT = 4, ONERROR = 5, FOLDERS = 6, FILTER = 7, UPVALUES = 7 };

/* Fetched again after each step that may run a finalizer, which may close or continue the walk. */
static modfs_walk *walk_here(lua_State *L) {
  return handle_of(L, lua_touserdata(L, lua_upvalueindex(OBJECT)));
}

typedef size_t count_call(const modfs_walk *walk);
typedef const char *name_call(const modfs_walk *walk, size_t index);

static void push_list(lua_State *L, count_call *count, name_call *name) {
  const void *object = lua_touserdata(L, lua_upvalueindex(OBJECT));
  size_t expected = count(handle_of(L, object));
  const char *text;
  lua_createtable(L, expected < INT32_MAX ? (int)expected : 0, 0);
  for (size_t i = 0; (text = name(handle_of(L, object), i)); i++) {
    push_text(L, text);
    lua_rawseti(L, -2, (int)(i + 1));
  }
}

/* Whether the list that the loop received is unchanged. */
static bool is_untouched(lua_State *L, int table, const modfs_walk *walk) {
  size_t count = lua_rawlen(L, table);
  bool same = count == modfs_walk_directory_count(walk);
  for (size_t i = 0; same && i < count; i++) {
    lua_rawgeti(L, table, (int)(i + 1));
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    same = strcmp(name, modfs_walk_directory(walk, i)) == 0;
    lua_pop(L, 1);
  }
  return same;
}

/* The loop may have removed names from its list, or added some. */
static void take_directories(lua_State *L, TF_Status *status) {
  lua_pushvalue(L, lua_upvalueindex(FOLDERS));
  int table = lua_gettop(L);
  if (lua_istable(L, table) && !is_untouched(L, table, walk_here(L))) {
    size_t count = lua_rawlen(L, table);
    const char **names = compat_newuserdata(L, (count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++) {
      lua_rawgeti(L, table, (int)(i + 1));
      names[i] = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
      lua_pop(L, 1); /* the table keeps it: nothing is allocated until its use */
    }
    modfs_walk_into(walk_here(L), names, count, status);
  }
  lua_settop(L, table - 1);
}

/* Raises, or calls onerror. */
static void walk_failed(lua_State *L, const TF_Status *status) {
  bool told = lua_isfunction(L, lua_upvalueindex(ONERROR));
  if (told) lua_pushvalue(L, lua_upvalueindex(ONERROR));
  push_failure(L, status);
  if (!told) {
    lua_pop(L, 1); /* the message is on top */
    lua_error(L);
  }
  push_text(L, modfs_walk_path(walk_here(L)));
  lua_remove(L, -4); /* the nil */
  lua_call(L, 3, 0);
}

static int push_directory(lua_State *L) {
  push_text(L, modfs_walk_path(walk_here(L)));
  push_list(L, modfs_walk_directory_count, modfs_walk_directory);
  lua_pushvalue(L, -1);
  lua_replace(L, lua_upvalueindex(FOLDERS));
  push_list(L, modfs_walk_file_count, modfs_walk_file);
  return 3;
}

/* Whether there is a next directory. The filter may close the walk. */
static bool walk_step(lua_State *L, walk_object *self, TF_Status *status) {
  if (lua_isnil(L, lua_upvalueindex(FILTER))) return modfs_walk_next(self->object.handle, status);
  lua_pushvalue(L, lua_upvalueindex(FILTER));
  filter_arm(L, &self->filter, lua_gettop(L));
  bool more = self->object.handle && modfs_walk_next(self->object.handle, status);
  filter_disarm(L, &self->filter);
  lua_pop(L, 2);
  return more;
}

static int walk_iterate(lua_State *L) {
  walk_object *self = lua_touserdata(L, lua_upvalueindex(OBJECT));
  TF_Status *status = state_status(L);
  if (!self->object.handle) return 0;
  if (!self->filter.L) take_directories(L, status);
  while (self->object.handle) {
    if (walk_step(L, self, status)) return push_directory(L);
    if (TF_GetCode(status) == TF_OK)
      object_end(&self->object);
    else
      walk_failed(L, status);
  }
  lua_pushnil(L);
  return 1;
}

static void push_iterator(lua_State *L, int object, int onerror, int filter) {
  push_upvalues(L);
  lua_pushvalue(L, object);
  lua_pushvalue(L, onerror);
  lua_pushnil(L);
  lua_pushvalue(L, filter);
  lua_pushcclosure(L, walk_iterate, UPVALUES);
}

static void push_onerror(lua_State *L) {
  lua_pushnil(L);
  if (lua_isnoneornil(L, 2)) return;
  lua_pushliteral(L, "onerror");
  lua_rawget(L, 2);
  if (!lua_isnil(L, -1) && !lua_isfunction(L, -1))
    arg_error(L, 2, "option 'onerror': function expected, got %s", luaL_typename(L, -1));
  lua_remove(L, -2);
}

/* A root that cannot be listed: with onerror, the loop ends at once. */
static int root_failed(lua_State *L, int onerror, const char *path, const TF_Status *status) {
  push_failure(L, status);
  if (lua_isnil(L, onerror)) return 3;
  lua_pushvalue(L, onerror);
  lua_replace(L, -4); /* the nil */
  push_text(L, path);
  lua_call(L, 3, 0);
  return 0;
}

static int push_loop(lua_State *L, int object, int onerror, int filter) {
  push_iterator(L, object, onerror, filter);
  lua_pushvalue(L, object);
  lua_pushnil(L);
  if (COMPAT_HAS_CLOSE) lua_pushvalue(L, object);
  return COMPAT_FOR_VALUES;
}

/* For a job: mode: bottom up. */
static void open_run(operation *self, TF_Status *status) {
  self->made = modfs_walk_open_chosen(self->fs, self->path, self->mode, self->choice, status);
}

static int open_push(lua_State *L, operation *self, const TF_Status *status) {
  push_job_onerror(L);
  int onerror = lua_gettop(L);
  if (TF_GetCode(status) != TF_OK && root_failed(L, onerror, self->path, status) > 0) return 3;
  operation_push_made(L, self); /* closed, if there is none */
  push_job_function(L);
  return push_loop(L, onerror + 1, onerror, onerror + 2);
}

/* Returns iterator, object, nil, object: a loop that is left early frees the object. */
static int walk_open(lua_State *L) {
  static const char *const options[] = {CHOICE_OPTIONS, "bottomup", "onerror", NULL};
  modfs_choice *choice;
  lua_settop(L, 2);
  const char *path = check_path(L, 1, NULL);
  check_options(L, 2, options);
  bool bottomup = option_boolean(L, 2, "bottomup", false);
  if (!path) return 3;
  push_onerror(L);
  int onerror = lua_gettop(L);
  const modfs_fs *fs = find_fs(L, path);
  if (!fs) return 3;
  collect_for_descriptors(L);
  TF_Status *status = state_status(L);
  walk_object *self = object_new(L, &modfs_walk_class);
  int object = lua_gettop(L);
  if (!read_choice(L, 2, &self->filter, &choice)) return 3;
  int filter = self->filter.function;
  static const operation_kind kind = {open_run, open_push, operation_end_made, true};
  if (operation_is_deferred(L))
    return operation_perform(L, &(operation){.kind = &kind,
                                             .fs = fs,
                                             .path = path,
                                             .mode = bottomup,
                                             .choice = choice,
                                             .function = filter,
                                             .onerror = onerror,
                                             .class = &modfs_walk_class});
  filter_arm(L, &self->filter, filter);
  self->object.handle = modfs_walk_open_chosen(fs, path, bottomup, choice, status);
  filter_disarm(L, &self->filter);
  if (!self->object.handle && root_failed(L, onerror, path, status) > 0) return 3;
  return push_loop(L, object, onerror, filter);
}

void modfs_lua_open_walk(lua_State *L) {
  class_new(L, &modfs_walk_class, (const luaL_Reg[]){{NULL, NULL}},
            FUNCTIONS({"__tostring", object_tostring}));
  set_functions(L, FUNCTIONS({"walk", walk_open}));
}
