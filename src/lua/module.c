#include "device.h"

/* The module core: functions that belong to no object, and the order of registration. */

static int module_type(lua_State *L) {
  static const modfs_class *const classes[] = {&modfs_file_class,
                                               &modfs_writable_class,
                                               &modfs_region_class,
                                               &modfs_buffer_class,
                                               &modfs_fs_class,
                                               &modfs_plugin_class,
                                               &modfs_transaction_class,
                                               &modfs_directory_class,
                                               &modfs_device_class,
                                               &modfs_memory_class,
                                               &modfs_stream_class,
                                               &modfs_event_class,
                                               &modfs_timer_class,
                                               &modfs_walk_class,
                                               &modfs_tree_class,
                                               &modfs_watch_class,
                                               &modfs_record_reader_class,
                                               &modfs_record_writer_class,
                                               &modfs_job_class};
  if (lua_isnone(L, 1)) arg_error(L, 1, "value expected");
  bool may_be = lua_type(L, 1) == LUA_TUSERDATA;
  for (size_t i = 0; may_be && i < sizeof classes / sizeof *classes; i++) {
    const modfs_object *object = object_test(L, 1, classes[i]);
    if (!object) continue;
    lua_pushfstring(L, object->handle ? "%s" : "closed %s", classes[i]->type);
    return 1;
  }
  lua_pushnil(L);
  return 1;
}

static int module_schemes(lua_State *L) {
  no_options(L, 1);
  int count = 0;
  lua_newtable(L);
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs)) {
    lua_pushstring(L, modfs_fs_scheme(fs));
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

static int module_filesystem(lua_State *L) {
  no_options(L, 2);
  const char *name = check_path(L, 1, NULL);
  if (!name) return 3;
  const modfs_fs *fs = find_scheme(L, name);
  if (!fs) return 3;
  modfs_lua_fs_push(L, fs);
  return 1;
}

static void set_constants(lua_State *L) {
  lua_createtable(L, 0, TF_UNAUTHENTICATED + 1);
  for (int code = TF_OK; code <= TF_UNAUTHENTICATED; code++) {
    push_integer(L, code);
    lua_setfield(L, -2, modfs_code_name((TF_Code)code));
  }
  lua_setfield(L, -2, "codes");
  lua_pushfstring(L, "%s/?.so", modfs_plugin_directory());
  lua_setfield(L, -2, "plugin_path");
  lua_pushliteral(L, "modfs 0.1.0");
  lua_setfield(L, -2, "_VERSION");
}

enum { FIELDS = 128 }; /* room for those that there are, and those of modules in Lua */

static void open_all(lua_State *L) {
  set_functions(L, FUNCTIONS({"type", module_type}, {"schemes", module_schemes},
                             {"filesystem", module_filesystem}));
  set_constants(L);
  modfs_lua_open_file(L);
  modfs_lua_open_writable(L);
  modfs_lua_open_region(L);
  modfs_lua_open_buffer(L);
  modfs_lua_open_fs(L);
  modfs_lua_open_plugin(L);
  modfs_lua_open_transaction(L);
  modfs_lua_open_listing(L);
  modfs_lua_open_attributes(L);
  modfs_lua_open_link(L);
  modfs_lua_open_checksum(L);
  modfs_lua_open_hash(L);
  modfs_lua_open_xattrs(L);
  modfs_lua_open_gfile(L);
  modfs_lua_open_path_operations(L);
  modfs_lua_open_walk(L);
  modfs_lua_open_tree_object(L);
  modfs_lua_open_watch(L);
  modfs_lua_open_path(L);
  modfs_lua_open_options(L);
  modfs_lua_open_codec(L);
  modfs_lua_open_record(L);
  modfs_lua_open_platform(L);
  modfs_lua_open_device(L);
  modfs_lua_open_memory(L);
  modfs_lua_open_stream(L);
  modfs_lua_open_event(L);
  modfs_lua_open_timer(L);
  modfs_lua_open_poll(L);
}

/* The text by which modfs.mismatch recognizes a core.so that another Lua cannot load. */
__attribute__((used)) static const char built_for[] = "modfs.core is built for " COMPAT_LUA;

MODFS_API int luaopen_modfs_core(lua_State *L) {
  compat_checkversion(L);
  modfs_state *state = state_open(L);
  modfs_lua_open_entry(L);
  modfs_lua_open_interrupt(L);
  modfs_lua_open_job(L);
  push_module(L);
  if (lua_istable(L, -1)) return 1;
  modfs_start(state->status);
  if (TF_GetCode(state->status) != TF_OK) return luaL_error(L, "%s", TF_Message(state->status));
  lua_createtable(L, 0, FIELDS);
  open_all(L);
  set_module(L);
  return 1;
}
