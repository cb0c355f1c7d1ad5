#include "calls.h"

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

static void stat_run(operation *self, TF_Status *status) {
  TF_FileStatistics stats = {0};
  modfs_fs_stat(self->fs, self->path, &stats, status);
  self->attributes.length = stats.length;
  self->attributes.mtime_nsec = stats.mtime_nsec;
  self->answer = stats.is_directory;
}

static int stat_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  TF_FileStatistics stats = {self->attributes.length, self->attributes.mtime_nsec, self->answer};
  return push_stat(L, self->path, &stats);
}

static int call_stat(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {stat_run, stat_push, NULL, true};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path});
}

static void directory_run(operation *self, TF_Status *status) {
  self->answer = modfs_fs_is_directory(self->fs, self->path, status);
}

static int directory_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushboolean(L, self->answer);
  return 1;
}

static int call_is_directory(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {directory_run, directory_push, NULL, true};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path});
}

static int fs_delete_recursively(lua_State *L) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  return path ? delete_recursively(L, fs, path) : push_undeleted(L);
}

/* A method of one path: its results, made of L, fs and path. */
#define PATH_METHOD(name, results)                                                                 \
  static int fs_##name(lua_State *L) {                                                             \
    no_options(L, 3);                                                                              \
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
PATH_METHOD(is_directory, call_is_directory(L, fs, path))
PATH_METHOD(translate_name, call_text(L, modfs_fs_translate_name, fs, path))
PATH_METHOD(get_file_size, call_file_size(L, fs, path))
PATH_METHOD(get_children, call_names(L, modfs_fs_get_children, fs, path, false))
PATH_METHOD(get_matching_paths, call_names(L, modfs_fs_get_matching_paths, fs, path, false))

/* Two paths ------------------------------------------------------------------ */

static void rename_within(const modfs_fs *fs, const char *src, const modfs_fs *to, const char *dst,
                          TF_Status *status) {
  (void)to;
  modfs_fs_rename_file(fs, src, dst, status);
}

static void copy_within(const modfs_fs *fs, const char *src, const modfs_fs *to, const char *dst,
                        TF_Status *status) {
  (void)to;
  modfs_fs_copy_file(fs, src, dst, status);
}

static int call_within(lua_State *L, pair_call *call) {
  no_options(L, 4);
  const modfs_fs *fs = check_fs(L);
  const char *src = check_path(L, 2, NULL);
  if (!src) return 3;
  const char *dst = check_path(L, 3, NULL);
  if (!dst) return 3;
  return call_pair(L, call, &(path_pair){fs, fs, src, dst});
}

static int fs_rename_file(lua_State *L) {
  return call_within(L, rename_within);
}

static int fs_copy_file(lua_State *L) {
  return call_within(L, copy_within);
}

/* Questions ----------------------------------------------------------------- */

static int fs_paths_exist(lua_State *L) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  if (!lua_istable(L, 2)) type_error(L, 2, "table");
  return call_exist(L, 2, fs);
}

static void flush_run(operation *self, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  modfs_fs_flush_caches(self->fs);
}

static int fs_flush_caches(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {flush_run, operation_push_done, NULL, false};
  return operation_perform(L, &(operation){.kind = &kind, .fs = check_fs(L)});
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
