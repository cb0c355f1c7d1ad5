#include "binding.h"

#include <string.h>

/* A plugin lives as long as the process: only the object is closed. */
const modfs_class modfs_plugin_class = {"modfs.Plugin", "plugin", "plugin", sizeof(modfs_object),
                                        NULL};

void modfs_lua_plugin_push(lua_State *L, const modfs_plugin *plugin) {
  push_known_object(L, &modfs_plugin_class, plugin);
  if (!lua_isnil(L, -1)) return;
  lua_pop(L, 1);
  modfs_object *self = object_new(L, &modfs_plugin_class);
  self->handle = (void *)(uintptr_t)plugin;
  remember_object(L, plugin);
}

/* Fields -------------------------------------------------------------------- */

static void push_path(lua_State *L, const modfs_plugin *plugin) {
  lua_pushstring(L, modfs_plugin_path(plugin));
}

static void push_schemes(lua_State *L, const modfs_plugin *plugin) {
  int count = (int)modfs_plugin_scheme_count(plugin);
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, modfs_plugin_scheme(plugin, (size_t)i));
    lua_rawseti(L, -2, i + 1);
  }
}

static void push_platforms(lua_State *L, const modfs_plugin *plugin) {
  const modfs_platform *platform = modfs_plugin_platform(plugin);
  lua_newtable(L);
  if (!platform) return;
  lua_pushstring(L, modfs_platform_name(platform));
  lua_rawseti(L, -2, 1);
}

static void push_author(lua_State *L, const modfs_plugin *plugin) {
  lua_pushstring(L, modfs_plugin_author(plugin));
}

static void push_version(lua_State *L, const modfs_plugin *plugin) {
  lua_pushstring(L, modfs_plugin_version(plugin));
}

static void push_url(lua_State *L, const modfs_plugin *plugin) {
  lua_pushstring(L, modfs_plugin_url(plugin));
}

static void set_table_version(lua_State *L, const char *name, modfs_version version) {
  if (version.size == 0) return;
  lua_createtable(L, 0, 3);
  push_integer(L, version.abi);
  lua_setfield(L, -2, "abi");
  push_integer(L, version.api);
  lua_setfield(L, -2, "api");
  push_count(L, version.size);
  lua_setfield(L, -2, "size");
  lua_setfield(L, -2, name);
}

static void push_versions(lua_State *L, const modfs_plugin *plugin) {
  static const char *const names[MODFS_TABLES] = {
      [MODFS_TABLE_FILESYSTEM] = "filesystem",
      [MODFS_TABLE_RANDOM_ACCESS_FILE] = "random_access_file",
      [MODFS_TABLE_WRITABLE_FILE] = "writable_file",
      [MODFS_TABLE_READ_ONLY_MEMORY_REGION] = "read_only_memory_region"};
  static const char *const device_names[MODFS_DEVICE_TABLES] = {
      [MODFS_TABLE_PLATFORM] = "platform",
      [MODFS_TABLE_PLATFORM_FNS] = "platform_fns",
      [MODFS_TABLE_DEVICE_FNS] = "device_fns",
      [MODFS_TABLE_STREAM_EXECUTOR] = "stream_executor",
      [MODFS_TABLE_TIMER_FNS] = "timer_fns"};
  const modfs_platform *platform = modfs_plugin_platform(plugin);
  lua_createtable(L, 0, MODFS_TABLES + MODFS_DEVICE_TABLES);
  for (int i = 0; i < MODFS_TABLES; i++)
    set_table_version(L, names[i], modfs_plugin_table(plugin, (modfs_table)i));
  for (int i = 0; platform && i < MODFS_DEVICE_TABLES; i++)
    set_table_version(L, device_names[i], modfs_platform_table(platform, (modfs_device_table)i));
}

typedef struct plugin_field {
  const char *name;
  void (*push)(lua_State *L, const modfs_plugin *plugin);
} plugin_field;

static const plugin_field fields[] = {{"path", push_path},           {"schemes", push_schemes},
                                      {"platforms", push_platforms}, {"author", push_author},
                                      {"version", push_version},     {"url", push_url},
                                      {"versions", push_versions}};

static int plugin_index(lua_State *L) {
  const modfs_object *self = check_self(L, &modfs_plugin_class);
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(2));
  if (!lua_isnil(L, -1) || lua_type(L, 2) != LUA_TSTRING) return 1;
  const char *name = lua_tostring(L, 2);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    if (strcmp(name, fields[i].name) != 0) continue;
    check_open(L, &modfs_plugin_class);
    fields[i].push(L, self->handle);
    return 1;
  }
  return 1;
}

/* The object ---------------------------------------------------------------- */

static int plugin_tostring(lua_State *L) {
  const modfs_object *self = check_self(L, &modfs_plugin_class);
  lua_pushfstring(L, "modfs.Plugin (%s)",
                  self->handle ? modfs_plugin_path(self->handle) : "closed");
  return 1;
}

/* Module functions ---------------------------------------------------------- */

static int plugin_load(lua_State *L) {
  static const char *const options[] = {"symbol", "trust", "scheme", "as", NULL};
  const char *file = check_path(L, 1, NULL);
  if (!file) return 3;
  check_options(L, 2, options);
  const char *symbol = option_string(L, 2, "symbol", NULL);
  bool trust = option_boolean(L, 2, "trust", false);
  modfs_renaming renaming = {option_string(L, 2, "scheme", ""), option_string(L, 2, "as", NULL)};
  TF_Status *status = state_status(L);
  const modfs_plugin *plugin =
      modfs_plugin_load_as(file, symbol, trust, renaming.as ? &renaming : NULL, status);
  if (!plugin) return push_failure(L, status);
  warn_once(L, plugin);
  modfs_lua_plugin_push(L, plugin);
  return 1;
}

static int plugin_list(lua_State *L) {
  no_options(L, 1);
  int count = 0;
  lua_newtable(L);
  for (const modfs_plugin *p = modfs_plugin_next(NULL); p; p = modfs_plugin_next(p)) {
    modfs_lua_plugin_push(L, p);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

void modfs_lua_open_plugin(lua_State *L) {
  class_new(L, &modfs_plugin_class, FUNCTIONS({"close", object_close}),
            FUNCTIONS({"__tostring", plugin_tostring}, {"__index", plugin_index}));
  set_functions(L, FUNCTIONS({"load", plugin_load}, {"plugins", plugin_list}));
}
