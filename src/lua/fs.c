#include "operation.h"

#include <string.h>

/* A filesystem lives as long as the process: only the object is closed. */
const modfs_class modfs_fs_class = {"modfs.Filesystem", "filesystem", "filesystem",
                                    sizeof(modfs_object), NULL};

const modfs_fs *check_fs(lua_State *L) {
  const modfs_object *self = check_open(L, &modfs_fs_class);
  return self->handle;
}

void modfs_lua_fs_push(lua_State *L, const modfs_fs *fs) {
  modfs_object *self = object_new(L, &modfs_fs_class);
  self->handle = (void *)(uintptr_t)fs;
}

/* Calls with a path ---------------------------------------------------------- */

static void path_run(operation *self, TF_Status *status) {
  self->call.path(self->fs, self->path, status);
}

static int done_push(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_done(L, status);
}

int call_path(lua_State *L, path_call *call, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {path_run, done_push, NULL, false};
  return operation_perform(L,
                           &(operation){.kind = &kind, .fs = fs, .path = path, .call.path = call});
}

static void names_run(operation *self, TF_Status *status) {
  self->call.names(self->fs, self->path, &self->names, status);
}

static int names_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->answer)
    push_sorted(L, &self->names);
  else
    push_names(L, &self->names);
  return 1;
}

static void names_fini(operation *self) {
  modfs_string_list_fini(&self->names);
}

int call_names(lua_State *L, names_call *call, const modfs_fs *fs, const char *path, bool sorts) {
  static const operation_kind kind = {names_run, names_push, names_fini, true};
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .call.names = call, .answer = sorts});
}

static int call_stat(lua_State *L, const modfs_fs *fs, const char *path) {
  TF_Status *status = state_status(L);
  TF_FileStatistics stats;
  modfs_fs_stat(fs, path, &stats, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_stat(L, path, &stats, 0);
}

static void size_run(operation *self, TF_Status *status) {
  self->number = modfs_fs_get_file_size(self->fs, self->path, status);
}

static int size_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_length(L, self->path, self->number);
}

int call_file_size(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {size_run, size_push, NULL, true};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path});
}

int delete_recursively(lua_State *L, const modfs_fs *fs, const char *path) {
  TF_Status *status = state_status(L);
  uint64_t files = 0, directories = 0;
  modfs_fs_delete_recursively(fs, path, &files, &directories, status);
  int results = push_done(L, status);
  push_count(L, files);
  push_count(L, directories);
  return results + 2;
}

int push_undeleted(lua_State *L) {
  push_count(L, 0);
  push_count(L, 1);
  return 5;
}

static int fs_delete_recursively(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  return path ? delete_recursively(L, fs, path) : push_undeleted(L);
}

/* A method of one path: its results, made of L, fs and path. */
#define PATH_METHOD(name, results)                                                                 \
  static int fs_##name(lua_State *L) {                                                             \
    const modfs_fs *fs = check_fs(L);                                                              \
    const char *path = check_path(L, 2, NULL);                                                     \
    return path ? results : 3;                                                                     \
  }
PATH_METHOD(new_random_access_file, modfs_lua_file_new(L, fs, path))
PATH_METHOD(new_writable_file, modfs_lua_writable_new(L, fs, path, MODFS_WRITE_REPLACE))
PATH_METHOD(new_appendable_file, modfs_lua_writable_new(L, fs, path, MODFS_WRITE_APPEND))
PATH_METHOD(new_region, modfs_lua_region_new(L, fs, path, false))
PATH_METHOD(create_dir, call_path(L, modfs_fs_create_dir, fs, path))
PATH_METHOD(recursively_create_dir, call_path(L, modfs_fs_recursively_create_dir, fs, path))
PATH_METHOD(delete_file, call_path(L, modfs_fs_delete_file, fs, path))
PATH_METHOD(delete_dir, call_path(L, modfs_fs_delete_dir, fs, path))
PATH_METHOD(path_exists, call_path(L, modfs_fs_path_exists, fs, path))
PATH_METHOD(stat, call_stat(L, fs, path))
PATH_METHOD(get_file_size, call_file_size(L, fs, path))
PATH_METHOD(get_children, call_names(L, modfs_fs_get_children, fs, path, false))
PATH_METHOD(get_matching_paths, call_names(L, modfs_fs_get_matching_paths, fs, path, false))

/* Two paths ------------------------------------------------------------------ */

typedef void pair_call(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status);

static int call_pair(lua_State *L, pair_call *call) {
  const modfs_fs *fs = check_fs(L);
  const char *src = check_path(L, 2, NULL);
  if (!src) return 3;
  const char *dst = check_path(L, 3, NULL);
  if (!dst) return 3;
  TF_Status *status = state_status(L);
  call(fs, src, dst, status);
  return push_done(L, status);
}

static int fs_rename_file(lua_State *L) {
  return call_pair(L, modfs_fs_rename_file);
}

static int fs_copy_file(lua_State *L) {
  return call_pair(L, modfs_fs_copy_file);
}

/* Questions ----------------------------------------------------------------- */

/* Borrows the strings of the table at arg 2; nothing may allocate in Lua while they are used. */
static bool collect_paths(lua_State *L, const char **paths, int count) {
  for (int i = 0; i < count; i++) {
    lua_rawgeti(L, 2, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      arg_error(L, 2, "path #%d: string expected, got %s", i + 1, luaL_typename(L, -1));
    size_t length;
    paths[i] = lua_tolstring(L, -1, &length);
    lua_pop(L, 1);
    if (strlen(paths[i]) == length) continue;
    push_failure_code(L, TF_INVALID_ARGUMENT, "paths_exist %s: embedded NUL", paths[i]);
    return false;
  }
  return true;
}

static int fs_paths_exist(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  if (!lua_istable(L, 2)) type_error(L, 2, "table");
  int count = (int)lua_rawlen(L, 2);
  const char **paths = compat_newuserdata(L, (size_t)count * sizeof *paths + 1);
  TF_Code *codes = compat_newuserdata(L, (size_t)count * sizeof *codes + 1);
  if (!collect_paths(L, paths, count)) return 3;
  TF_Status *status = state_status(L);
  bool all = modfs_fs_paths_exist(fs, paths, (size_t)count, codes, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushboolean(L, all);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, modfs_code_name(codes[i]));
    lua_rawseti(L, -2, i + 1);
  }
  return 2;
}

static int fs_is_directory(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  if (!path) return 3;
  TF_Status *status = state_status(L);
  bool is_directory = modfs_fs_is_directory(fs, path, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushboolean(L, is_directory);
  return 1;
}

static int fs_translate_name(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  const char *uri = check_path(L, 2, NULL);
  if (!uri) return 3;
  TF_Status *status = state_status(L);
  char **name = guard_string(L);
  int guard = lua_gettop(L);
  *name = modfs_fs_translate_name(fs, uri, status);
  if (!*name) return push_failure(L, status);
  lua_pushstring(L, *name);
  guard_end(L, guard);
  return 1;
}

static int fs_flush_caches(lua_State *L) {
  modfs_fs_flush_caches(check_fs(L));
  lua_pushboolean(L, 1);
  return 1;
}

/* The object ---------------------------------------------------------------- */

typedef const char *(*slot_name)(size_t index);
typedef const char *(*slot_origin)(const modfs_fs *fs, size_t index);

static void push_origins(lua_State *L, const modfs_fs *fs, slot_name name, slot_origin origin) {
  lua_newtable(L);
  for (size_t i = 0; name(i); i++) {
    lua_pushstring(L, origin(fs, i));
    lua_setfield(L, -2, name(i));
  }
}

static int fs_operations(lua_State *L) {
  static const char *const tables[] = {"tables", "extension", NULL};
  const modfs_fs *fs = check_fs(L);
  if (luaL_checkoption(L, 2, "tables", tables) == 0)
    push_origins(L, fs, modfs_fs_operation_name, modfs_fs_operation);
  else
    push_origins(L, fs, modfs_fs_extension_name, modfs_fs_extension);
  return 1;
}

static int fs_tostring(lua_State *L) {
  const modfs_object *self = check_self(L, &modfs_fs_class);
  const char *scheme = self->handle ? modfs_fs_scheme(self->handle) : "closed";
  lua_pushfstring(L, "modfs.Filesystem (%s)", *scheme ? scheme : "plain paths");
  return 1;
}

static int fs_index(lua_State *L) {
  check_self(L, &modfs_fs_class);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(2));
  if (!lua_isnil(L, -1) || lua_type(L, 2) != LUA_TSTRING) return 1;
  if (strcmp(lua_tostring(L, 2), "scheme") == 0) lua_pushstring(L, modfs_fs_scheme(check_fs(L)));
  return 1;
}

void modfs_lua_open_fs(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"new_random_access_file", fs_new_random_access_file},
      {"new_writable_file", fs_new_writable_file},
      {"new_appendable_file", fs_new_appendable_file},
      {"new_read_only_memory_region_from_file", fs_new_region},
      {"create_dir", fs_create_dir},
      {"recursively_create_dir", fs_recursively_create_dir},
      {"delete_file", fs_delete_file},
      {"delete_dir", fs_delete_dir},
      {"delete_recursively", fs_delete_recursively},
      {"rename_file", fs_rename_file},
      {"copy_file", fs_copy_file},
      {"path_exists", fs_path_exists},
      {"paths_exist", fs_paths_exist},
      {"stat", fs_stat},
      {"is_directory", fs_is_directory},
      {"get_file_size", fs_get_file_size},
      {"translate_name", fs_translate_name},
      {"get_children", fs_get_children},
      {"get_matching_paths", fs_get_matching_paths},
      {"flush_caches", fs_flush_caches},
      {"start_transaction", fs_start_transaction},
      {"end_transaction", fs_end_transaction},
      {"add_to_transaction", fs_add_to_transaction},
      {"get_transaction_for_path", fs_get_transaction_for_path},
      {"get_or_start_transaction_for_path", fs_get_or_start_transaction_for_path},
      {"decode_transaction_token", fs_decode_transaction_token},
      {"get_filesystem_configuration", fs_get_configuration},
      {"set_filesystem_configuration", fs_set_configuration},
      {"get_filesystem_configuration_option", fs_get_configuration_option},
      {"set_filesystem_configuration_option", fs_set_configuration_option},
      {"get_filesystem_configuration_keys", fs_get_configuration_keys},
      {"operations", fs_operations},
      {"close", object_close},
      {NULL, NULL}};
  static const luaL_Reg metamethods[] = {
      {"__tostring", fs_tostring}, {"__index", fs_index}, {NULL, NULL}};
  class_new(L, &modfs_fs_class, methods, metamethods);
}
