#include "runner_fs.h"

/* open(file, scheme) -> Plugin, or nil and the reason. */
static int runner_open(lua_State *L) {
  const char *path = luaL_checkstring(L, 1), *scheme = luaL_checkstring(L, 2);
  runner_plugin **plugin = compat_newuserdata(L, sizeof(runner_plugin *));
  luaL_getmetatable(L, PLUGIN_CLASS);
  lua_setmetatable(L, -2);
  TF_Status *status = TF_NewStatus();
  *plugin = runner_plugin_open(path, scheme, status);
  if (!*plugin) {
    lua_pushnil(L);
    lua_pushstring(L, TF_Message(status));
  }
  TF_DeleteStatus(status);
  return *plugin ? 1 : 2;
}

/* deviations(file, scheme) -> the names of the deviations that the plugin declares. */
static int deviations(lua_State *L) {
  static const char *const names[] = {"shown_at_close",   "parents_implied", "names_are_text",
                                      "commits_in_steps", "written_at_once", "names_lack_colons"};
  uint64_t bits = runner_plugin_deviations(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
  int count = 0;
  lua_newtable(L);
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    if (!(bits >> i & 1)) continue;
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

static void new_class(lua_State *L, const char *name) {
  luaL_newmetatable(L, name);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
}

static const luaL_Reg functions[] = {{"preset", preset_statuses},
                                     {"open", runner_open},
                                     {"deviations", deviations},
                                     {"interrupt", runner_interrupt},
                                     {NULL, NULL}};

void runner_open_fs(lua_State *L) {
  new_class(L, PLUGIN_CLASS);
  runner_register(L, runner_fs_methods);
  runner_register(L, runner_listing_methods);
  runner_register(L, runner_option_methods);
  runner_register(L, runner_transaction_methods);
  runner_register(L, runner_race_methods);
  runner_register(L, runner_overlap_methods);
  runner_register(L, runner_extension_methods);
  runner_register(L, runner_link_methods);
  runner_register(L, runner_interruption_methods);
  runner_register(L, runner_xattr_methods);
  new_class(L, HANDLE_CLASS);
  runner_register(L, runner_handle_methods);
  new_class(L, DIRECTORY_CLASS);
  runner_register(L, runner_directory_methods);
  runner_register(L, runner_directory_link_methods);
  runner_register(L, runner_directory_xattr_methods);
  lua_pop(L, 3);
  runner_register(L, runner_process_functions);
  runner_register(L, runner_child_functions);
  runner_register(L, runner_shim_functions);
  runner_register(L, functions);
}
