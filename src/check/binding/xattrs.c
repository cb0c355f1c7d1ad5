/* Slots of the extension about extended attributes, and about the room of the storage. */
#include "runner_fs.h"

#include <string.h>

/* Appends one attribute; name and value are at that index of the table at 3 and behind it. */
static void add_attribute(lua_State *L, luaL_Buffer *to, int index) {
  size_t length, named;
  lua_rawgeti(L, 3, index);
  lua_rawgeti(L, 3, index + 1);
  const char *name = luaL_checklstring(L, -2, &named), *value = luaL_checklstring(L, -1, &length);
  uint32_t size = (uint32_t)length;
  lua_pushlstring(L, (const char *)&size, sizeof size);
  lua_pushlstring(L, name, named);
  lua_pushlstring(L, "", 1);
  lua_pushlstring(L, value, length);
  lua_concat(L, 4);
  lua_insert(L, -3);
  lua_pop(L, 2);
  luaL_addvalue(to);
}

static void push_block(lua_State *L) {
  luaL_Buffer block;
  luaL_checktype(L, 3, LUA_TTABLE);
  int count = (int)lua_rawlen(L, 3);
  luaL_buffinit(L, &block);
  for (int i = 1; i < count; i += 2)
    add_attribute(L, &block, i);
  luaL_pushresult(&block);
}

/* Sets field xattrs: names and values in their order. */
static void answer_block(lua_State *L, const char *block, size_t size) {
  int index = 1;
  lua_newtable(L);
  for (size_t at = 0; at < size;) {
    uint32_t value;
    size_t left = size - at, named = 0;
    if (left > sizeof value) named = strnlen(block + at + sizeof value, left - sizeof value) + 1;
    if (left > sizeof value) memcpy(&value, block + at, sizeof value);
    if (named < 2 || named > left - sizeof value || value > left - sizeof value - named) {
      lua_setfield(L, -2, "xattrs");
      answer_fault(L, "the block has no attribute at byte %d", (int)at);
      return;
    }
    lua_pushlstring(L, block + at + sizeof value, named - 1);
    lua_rawseti(L, -2, index++);
    lua_pushlstring(L, block + at + sizeof value + named, value);
    lua_rawseti(L, -2, index++);
    at += sizeof value + named + value;
  }
  lua_setfield(L, -2, "xattrs");
}

/* What is wrong with the block of a call that succeeded; NULL: nothing. */
static const char *fault_of(const runner_plugin *plugin, const char *block, size_t size) {
  if (!block) return size > 0 ? "does not exist, but has a size" : NULL;
  return runner_plugin_foreign(plugin, block);
}

static int get_xattrs(lua_State *L, const runner_plugin *plugin, const modfs_directory *directory) {
  const char *path = luaL_checkstring(L, 2);
  size_t size = 0;
  if (!plugin->extension.get_xattrs) return 0;
  TF_Status *status = call_begin();
  char *block = plugin->extension.get_xattrs(&plugin->fs, directory, path, &size, status);
  bool fine = TF_GetCode(status) == TF_OK;
  call_end(L, status);
  answer_pointer(L, "pointer", block);
  if (!fine) return 1;
  const char *fault = fault_of(plugin, block, size);
  if (fault) {
    answer_fault(L, "the block %s", fault);
    return 1;
  }
  answer_block(L, block, size);
  if (block) give_back(L, plugin, block, "the block");
  return 1;
}

/* set_xattrs(subject, path, { name, value, … }), sorted by name */
static int set_xattrs(lua_State *L, const runner_plugin *plugin, const modfs_directory *directory) {
  const char *path = luaL_checkstring(L, 2);
  push_block(L);
  size_t size;
  const char *block = lua_tolstring(L, -1, &size);
  if (!plugin->extension.set_xattrs) return 0;
  TF_Status *status = call_begin();
  plugin->extension.set_xattrs(&plugin->fs, directory, path, size > 0 ? block : NULL, size, status);
  return call_end(L, status);
}

#define BOTH(slot)                                                                                 \
  static int plugin_##slot(lua_State *L) {                                                         \
    return slot(L, check_plugin(L), NULL);                                                         \
  }                                                                                                \
  static int directory_##slot(lua_State *L) {                                                      \
    const runner_directory *self = check_directory(L, 1);                                          \
    return slot(L, self->plugin, &self->handle);                                                   \
  }

BOTH(get_xattrs)
BOTH(set_xattrs)

/* get_space(plugin, path, size) */
static int get_space(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  union {
    modfs_space all;
    unsigned char bytes[sizeof(modfs_space)];
  } room;
  size_t size = (size_t)luaL_optinteger(L, 3, (lua_Integer)sizeof room);
  luaL_argcheck(L, size >= sizeof(size_t) && size <= sizeof room, 3, "no such size");
  memset(&room, 0xa5, sizeof room);
  room.all.struct_size = size;
  if (!p->extension.get_space) return 0;
  TF_Status *status = call_begin();
  p->extension.get_space(&p->fs, path, &room.all, status);
  call_end(L, status);
  for (size_t i = size; i < sizeof room; i++)
    if (room.bytes[i] != 0xa5) answer_fault(L, "bytes beyond struct_size are written to");
  const struct {
    const char *name;
    uint64_t value;
  } fields[] = {
      {"total", room.all.total}, {"free", room.all.free}, {"available", room.all.available}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    lua_pushnumber(L, (lua_Number)fields[i].value);
    lua_setfield(L, -2, fields[i].name);
  }
  return 1;
}

const luaL_Reg runner_xattr_methods[] = {{"get_xattrs", plugin_get_xattrs},
                                         {"set_xattrs", plugin_set_xattrs},
                                         {"get_space", get_space},
                                         {NULL, NULL}};
const luaL_Reg runner_directory_xattr_methods[] = {
    {"get_xattrs", directory_get_xattrs}, {"set_xattrs", directory_set_xattrs}, {NULL, NULL}};
