/* Slots that take paths and return statuses, numbers and handles. */
#include "runner_fs.h"

#include <string.h>

#define PATH_METHOD(name)                                                                          \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *path = luaL_checkstring(L, 2);                                                     \
    if (!p->ops.name) return 0;                                                                    \
    TF_Status *status = call_begin();                                                              \
    p->ops.name(&p->fs, path, status);                                                             \
    return call_end(L, status);                                                                    \
  }

PATH_METHOD(create_dir)
PATH_METHOD(recursively_create_dir)
PATH_METHOD(delete_file)
PATH_METHOD(delete_dir)
PATH_METHOD(path_exists)

#define PAIR_METHOD(name)                                                                          \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *src = luaL_checkstring(L, 2), *dst = luaL_checkstring(L, 3);                       \
    if (!p->ops.name) return 0;                                                                    \
    TF_Status *status = call_begin();                                                              \
    p->ops.name(&p->fs, src, dst, status);                                                         \
    return call_end(L, status);                                                                    \
  }

PAIR_METHOD(rename_file)
PAIR_METHOD(copy_file)

runner_handle *handle_new(lua_State *L, const runner_plugin *plugin) {
  runner_handle *handle = runner_lend(L, sizeof *handle, HANDLE_CLASS);
  handle->plugin = plugin;
  handle->as.pointer = poison();
  return handle;
}

int answer_handle(lua_State *L, TF_Status *status, const void *pointer) {
  bool fine = TF_GetCode(status) == TF_OK;
  call_end(L, status);
  answer_pointer(L, "pointer", pointer);
  if (!fine) return 1;
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "handle");
  return 1;
}

int answer_value(lua_State *L, TF_Status *status, int64_t value) {
  call_end(L, status);
  answer_integer(L, "value", value);
  return 1;
}

#define OPEN_METHOD(name, member)                                                                  \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *path = luaL_checkstring(L, 2);                                                     \
    if (!p->ops.name) return 0;                                                                    \
    runner_handle *handle = handle_new(L, p);                                                      \
    TF_Status *status = call_begin();                                                              \
    p->ops.name(&p->fs, path, &handle->as.member, status);                                         \
    return answer_handle(L, status, handle->as.pointer);                                           \
  }

OPEN_METHOD(new_random_access_file, file)
OPEN_METHOD(new_writable_file, writable)
OPEN_METHOD(new_appendable_file, writable)
OPEN_METHOD(new_read_only_memory_region_from_file, region)

uint32_t check_open_flags(lua_State *L, int arg) {
  const char *how = luaL_optstring(L, arg, "");
  return (strstr(how, "atomic") ? MODFS_OPEN_ATOMIC : 0u) |
         (strstr(how, "durable") ? MODFS_OPEN_DURABLE : 0u) |
         (strstr(how, "new") ? MODFS_OPEN_NEW : 0u);
}

/* open_writer(plugin, path, how): how: "atomic", "durable", "new", in any number. */
static int open_writer(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  uint32_t flags = check_open_flags(L, 3);
  if (!p->extension.open_writer) return 0;
  runner_handle *handle = handle_new(L, p);
  TF_Status *status = call_begin();
  p->extension.open_writer(&p->fs, NULL, path, flags, &handle->as.writable, status);
  return answer_handle(L, status, handle->as.pointer);
}

static int delete_recursively(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  uint64_t files = (uint64_t)POISON_NUMBER, dirs = (uint64_t)POISON_NUMBER;
  if (!p->ops.delete_recursively) return 0;
  TF_Status *status = call_begin();
  p->ops.delete_recursively(&p->fs, path, &files, &dirs, status);
  call_end(L, status);
  answer_integer(L, "files", (int64_t)files);
  answer_integer(L, "dirs", (int64_t)dirs);
  return 1;
}

/* Whether all of it, including the padding, is unchanged. */
static bool is_untouched(const TF_FileStatistics *stats) {
  unsigned char bytes[sizeof *stats];
  memcpy(bytes, stats, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i++)
    if (bytes[i] != 0xa5) return false;
  return true;
}

static int fs_stat(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  TF_FileStatistics stats;
  unsigned char flag;
  if (!p->ops.stat) return 0;
  memset(&stats, 0xa5, sizeof stats);
  TF_Status *status = call_begin();
  p->ops.stat(&p->fs, path, &stats, status);
  call_end(L, status);
  memcpy(&flag, &stats.is_directory, sizeof flag);
  answer_boolean(L, "untouched", is_untouched(&stats));
  answer_integer(L, "length", stats.length);
  answer_integer(L, "mtime_nsec", stats.mtime_nsec);
  answer_integer(L, "is_directory", flag);
  return 1;
}

static int answer_truth(lua_State *L, TF_Status *status, bool value) {
  call_end(L, status);
  answer_boolean(L, "value", value);
  return 1;
}

#define VALUE_METHOD(name, type, answer)                                                           \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *path = luaL_checkstring(L, 2);                                                     \
    if (!p->ops.name) return 0;                                                                    \
    TF_Status *status = call_begin();                                                              \
    type value = p->ops.name(&p->fs, path, status);                                                \
    return answer(L, status, value);                                                               \
  }

VALUE_METHOD(is_directory, bool, answer_truth)
VALUE_METHOD(get_file_size, int64_t, answer_value)

enum { MOST_PATHS = 64 };

static int read_paths(lua_State *L, char **paths) {
  int count = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  for (; count < MOST_PATHS; count++) {
    lua_rawgeti(L, 2, count + 1);
    paths[count] = (char *)(uintptr_t)lua_tostring(L, -1); /* the table keeps it */
    lua_pop(L, 1);
    if (!paths[count]) break;
  }
  return count;
}

/* paths_exist(plugin, paths, silent): silent: statuses is NULL. */
static int paths_exist(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  char *paths[MOST_PATHS];
  TF_Status *statuses[MOST_PATHS];
  int count = read_paths(L, paths);
  bool silent = lua_toboolean(L, 3);
  if (!p->ops.paths_exist) return 0;
  for (int i = 0; i < count; i++)
    statuses[i] = TF_NewStatus();
  TF_Status *unused = call_begin();
  bool value = p->ops.paths_exist(&p->fs, paths, count, silent ? NULL : statuses);
  call_end(L, unused);
  answer_boolean(L, "value", value);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushinteger(L, TF_GetCode(statuses[i]));
    lua_rawseti(L, -2, i + 1);
    TF_DeleteStatus(statuses[i]);
  }
  lua_setfield(L, -2, "codes");
  return 1;
}

/* translate_name(plugin, uri, aside): aside: on the way to another call, where nothing is made to
 * fail. */
static int translate_name(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *uri = luaL_checkstring(L, 2);
  bool aside = lua_toboolean(L, 3);
  if (!p->ops.translate_name) return 0;
  if (!aside) runner_enter();
  char *path = p->ops.translate_name(&p->fs, uri);
  if (aside) runner_enter();
  return answer_text(L, p, path, "the name", NULL);
}

static int flush_caches(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  if (!p->ops.flush_caches) return 0;
  runner_enter();
  p->ops.flush_caches(&p->fs);
  return call_end(L, NULL);
}

static int free_tables(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const TF_FilesystemPluginOps *ops = p->info.ops;
  size_t count = p->info.num_schemes;
  lua_newtable(L);
  for (size_t i = 0; i < count; i++) {
    const void *const blocks[] = {ops[i].scheme, ops[i].filesystem_ops,
                                  ops[i].random_access_file_ops, ops[i].writable_file_ops,
                                  ops[i].read_only_memory_region_ops};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
      const char *foreign = blocks[k] ? runner_plugin_foreign(p, blocks[k]) : NULL;
      if (foreign) answer_fault(L, "what was registered %s", foreign);
    }
  }
  lua_getfield(L, -1, "fault");
  bool fine = lua_isnil(L, -1);
  lua_pop(L, 1);
  if (!fine) return 1;
  runner_enter();
  runner_plugin_free_tables(p);
  return call_end(L, NULL);
}

/* has(plugin, "open_writer"): whether the plugin has that slot of the extension. */
static int has(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const modfs_extension_ops *ops = &p->extension;
  const struct {
    const char *name;
    bool is_there;
  } slots[] = {{"open_writer", ops->open_writer != NULL},
               {"open_subdirectory", ops->open_subdirectory != NULL},
               {"abort_transaction", ops->abort_transaction != NULL},
               {"create_link", ops->create_link != NULL},
               {"copy_entry_keeping", ops->copy_entry_keeping != NULL}};
  const char *name = luaL_checkstring(L, 2);
  size_t i = 0;
  while (i < sizeof slots / sizeof *slots && strcmp(name, slots[i].name) != 0)
    i++;
  luaL_argcheck(L, i < sizeof slots / sizeof *slots, 2, "a slot that this does not know");
  lua_pushboolean(L, slots[i].is_there);
  return 1;
}

const luaL_Reg runner_fs_methods[] = {
    {"create_dir", create_dir},
    {"recursively_create_dir", recursively_create_dir},
    {"delete_file", delete_file},
    {"delete_dir", delete_dir},
    {"delete_recursively", delete_recursively},
    {"path_exists", path_exists},
    {"paths_exist", paths_exist},
    {"rename_file", rename_file},
    {"copy_file", copy_file},
    {"stat", fs_stat},
    {"is_directory", is_directory},
    {"get_file_size", get_file_size},
    {"translate_name", translate_name},
    {"flush_caches", flush_caches},
    {"new_random_access_file", new_random_access_file},
    {"new_writable_file", new_writable_file},
    {"new_appendable_file", new_appendable_file},
    {"open_writer", open_writer},
    {"new_read_only_memory_region_from_file", new_read_only_memory_region_from_file},
    {"free_tables", free_tables},
    {"has", has},
    {NULL, NULL}};
