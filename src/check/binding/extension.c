/* Slots of the extension that return names and attributes. */
#include "runner_fs.h"

#include <string.h>

static void push_entry(lua_State *L, const modfs_directory_entry *entry, int index) {
  if (!entry->name) {
    answer_fault(L, "entry %d has no name", index);
    return;
  }
  lua_getfield(L, -1, "names");
  lua_pushstring(L, entry->name);
  lua_rawseti(L, -2, index);
  lua_pop(L, 1);
  lua_getfield(L, -1, "kinds");
  lua_pushinteger(L, entry->kind);
  lua_setfield(L, -2, entry->name);
  lua_pop(L, 1);
}

enum { MOST_ENTRIES = 10000 };

/* Takes every entry; the answer on the stack keeps the code of the first call that failed. */
static void take_entries(lua_State *L, const modfs_extension_ops *ops, modfs_directory *directory) {
  TF_Status *status = TF_NewStatus();
  bool more = true;
  for (int i = 1; more && i <= MOST_ENTRIES; i++) {
    modfs_directory_entry entry = {NULL, -1};
    TF_SetStatus(status, TF_OK, "");
    runner_enter();
    more = ops->next_entry(directory, &entry, status);
    runner_leave();
    if (more) push_entry(L, &entry, i);
  }
  if (more) answer_fault(L, "the iteration does not end");
  if (TF_GetCode(status) != TF_OK) answer_fault(L, "next_entry fails: %s", TF_Message(status));
  TF_DeleteStatus(status);
}

/* open_directory(plugin, path): opens, takes every entry, closes; names in their order, kinds. */
static int open_directory(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  const modfs_extension_ops *ops = &p->extension;
  modfs_directory directory = {NULL};
  if (!ops->open_directory || !ops->next_entry || !ops->close_directory) return 0;
  TF_Status *status = call_begin();
  ops->open_directory(&p->fs, path, &directory, status);
  bool fine = TF_GetCode(status) == TF_OK;
  call_end(L, status);
  lua_newtable(L);
  lua_setfield(L, -2, "names");
  lua_newtable(L);
  lua_setfield(L, -2, "kinds");
  if (!fine) return 1;
  take_entries(L, ops, &directory);
  runner_enter();
  ops->close_directory(&directory);
  runner_leave();
  return 1;
}

/* lstat(plugin, path, size): attributes of which the plugin may fill that many bytes. */
static int attributes(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  union {
    modfs_attributes all;
    unsigned char bytes[sizeof(modfs_attributes)];
  } room;
  size_t size = (size_t)luaL_optinteger(L, 3, (lua_Integer)sizeof room);
  luaL_argcheck(L, size >= sizeof(size_t) && size <= sizeof room, 3, "no such size");
  if (!p->extension.lstat) return 0;
  memset(&room, 0xa5, sizeof room);
  room.all.struct_size = size;
  TF_Status *status = call_begin();
  p->extension.lstat(&p->fs, path, &room.all, status);
  call_end(L, status);
  for (size_t i = size; i < sizeof room; i++)
    if (room.bytes[i] != 0xa5) answer_fault(L, "lstat fills more than struct_size");
  answer_integer(L, "kind", room.all.kind);
  answer_integer(L, "length", room.all.length);
  return 1;
}

const luaL_Reg runner_extension_methods[] = {
    {"open_directory", open_directory}, {"lstat", attributes}, {NULL, NULL}};
