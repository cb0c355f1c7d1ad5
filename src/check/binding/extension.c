/* Slots of the extension that return names and attributes, or work in an open directory.
 *
 * A Directory holds a directory handle of the plugin from open_directory or open_subdirectory until
 * close_directory; nobody else closes it, and its methods are called in between alone. */
#include "runner_fs.h"

#include <stdlib.h>
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
  if (TF_GetCode(status) != TF_OK) {
    answer_code(L, "code", TF_GetCode(status));
    answer_string(L, "message", TF_Message(status));
  }
  TF_DeleteStatus(status);
}

/* The same by the slot next_entries. */
static void take_blocks(lua_State *L, const modfs_extension_ops *ops, modfs_directory *directory) {
  char *block = malloc(MODFS_ENTRIES_SIZE);
  TF_Status *status = TF_NewStatus();
  size_t used = 1;
  for (int i = 1; block && used > 0 && i <= MOST_ENTRIES;) {
    TF_SetStatus(status, TF_OK, "");
    runner_enter();
    used = ops->next_entries(directory, block, MODFS_ENTRIES_SIZE, status);
    runner_leave();
    if (used > MODFS_ENTRIES_SIZE || (used > 0 && block[used - 1] != '\0')) {
      answer_fault(L, "the entries do not fit the block, or do not end");
      break;
    }
    for (const char *next = block; next + 1 < block + used; next += strlen(next + 1) + 2)
      push_entry(L, &(modfs_directory_entry){next + 1, *next}, i++);
  }
  if (TF_GetCode(status) != TF_OK) {
    answer_code(L, "code", TF_GetCode(status));
    answer_string(L, "message", TF_Message(status));
  }
  TF_DeleteStatus(status);
  free(block);
}

typedef void (*take_all)(lua_State *L, const modfs_extension_ops *ops, modfs_directory *directory);

/* open_directory(plugin, path): opens, takes every entry, closes; names in their order, kinds. */
static int list_directory(lua_State *L, take_all take) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  const modfs_extension_ops *ops = &p->extension;
  modfs_directory directory = {NULL};
  TF_Status *status = call_begin();
  ops->open_directory(&p->fs, path, &directory, status);
  bool fine = TF_GetCode(status) == TF_OK;
  call_end(L, status);
  lua_newtable(L);
  lua_setfield(L, -2, "names");
  lua_newtable(L);
  lua_setfield(L, -2, "kinds");
  if (!fine) return 1;
  take(L, ops, &directory);
  runner_enter();
  ops->close_directory(&directory);
  runner_leave();
  return 1;
}

static int open_directory(lua_State *L) {
  const modfs_extension_ops *ops = &check_plugin(L)->extension;
  bool complete = ops->open_directory && ops->next_entry && ops->close_directory;
  return complete ? list_directory(L, take_entries) : 0;
}

/* next_entries(plugin, path): the same in blocks. */
static int next_entries(lua_State *L) {
  const modfs_extension_ops *ops = &check_plugin(L)->extension;
  return ops->open_directory && ops->next_entries ? list_directory(L, take_blocks) : 0;
}

/* Attributes of which the plugin may fill struct_size bytes. */
typedef union attributes_room {
  modfs_attributes all;
  unsigned char bytes[sizeof(modfs_attributes)];
} attributes_room;

static int create_private_dir(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  if (!p->extension.create_private_dir) return 0;
  TF_Status *status = call_begin();
  p->extension.create_private_dir(&p->fs, path, status);
  return call_end(L, status);
}

static void prepare_attributes(lua_State *L, int arg, attributes_room *room) {
  size_t size = (size_t)luaL_optinteger(L, arg, (lua_Integer)sizeof *room);
  luaL_argcheck(L, size >= sizeof(size_t) && size <= sizeof *room, arg, "no such size");
  memset(room, 0xa5, sizeof *room);
  room->all.struct_size = size;
}

static int answer_attributes(lua_State *L, TF_Status *status, const attributes_room *room,
                             size_t size) {
  call_end(L, status);
  for (size_t i = size; i < sizeof *room; i++)
    if (room->bytes[i] != 0xa5) answer_fault(L, "bytes beyond struct_size are written to");
  answer_integer(L, "kind", room->all.kind);
  answer_integer(L, "length", room->all.length);
  answer_integer(L, "mode", room->all.mode);
  answer_integer(L, "mtime_nsec", room->all.mtime_nsec);
  answer_integer(L, "atime_nsec", room->all.atime_nsec);
  if (size < sizeof room->all) return 1;
  answer_integer(L, "owner", (int64_t)room->all.owner);
  answer_integer(L, "group", (int64_t)room->all.group);
  answer_integer(L, "inode", (int64_t)room->all.inode);
  answer_integer(L, "links", (int64_t)room->all.links);
  return 1;
}

/* lstat(plugin, path, size), get_attributes likewise */
#define ATTRIBUTES_METHOD(name)                                                                    \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *path = luaL_checkstring(L, 2);                                                     \
    attributes_room room;                                                                          \
    prepare_attributes(L, 3, &room);                                                               \
    size_t size = room.all.struct_size;                                                            \
    if (!p->extension.name) return 0;                                                              \
    TF_Status *status = call_begin();                                                              \
    p->extension.name(&p->fs, path, &room.all, status);                                            \
    return answer_attributes(L, status, &room, size);                                              \
  }

ATTRIBUTES_METHOD(lstat)
ATTRIBUTES_METHOD(get_attributes)

/* reader_attributes(plugin, handle, size) */
static int reader_attributes(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  const runner_handle *handle = luaL_checkudata(L, 2, HANDLE_CLASS);
  attributes_room room;
  prepare_attributes(L, 3, &room);
  size_t size = room.all.struct_size;
  if (!p->extension.reader_attributes) return 0;
  TF_Status *status = call_begin();
  p->extension.reader_attributes(&p->fs, &handle->as.file, &room.all, status);
  return answer_attributes(L, status, &room, size);
}

/* Directories ------------------------------------------------------------------------------ */

runner_directory *check_directory(lua_State *L, int arg) {
  return luaL_checkudata(L, arg, DIRECTORY_CLASS);
}

static runner_directory *new_directory(lua_State *L, const runner_plugin *plugin) {
  runner_directory *self = runner_lend(L, sizeof *self, DIRECTORY_CLASS);
  self->plugin = plugin;
  self->handle.plugin_directory = poison();
  return self;
}

/* directory(plugin, path) -> a Directory as handle. */
static int directory(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  if (!p->extension.open_directory) return 0;
  runner_directory *self = new_directory(L, p);
  TF_Status *status = call_begin();
  p->extension.open_directory(&p->fs, path, &self->handle, status);
  return answer_handle(L, status, self->handle.plugin_directory);
}

static int open_subdirectory(lua_State *L) {
  const runner_directory *parent = check_directory(L, 1);
  const char *name = luaL_checkstring(L, 2);
  if (!parent->plugin->extension.open_subdirectory) return 0;
  runner_directory *self = new_directory(L, parent->plugin);
  TF_Status *status = call_begin();
  parent->plugin->extension.open_subdirectory(&parent->handle, name, &self->handle, status);
  return answer_handle(L, status, self->handle.plugin_directory);
}

static int close_directory(lua_State *L) {
  runner_directory *self = check_directory(L, 1);
  runner_enter();
  self->plugin->extension.close_directory(&self->handle);
  return call_end(L, NULL);
}

/* entry_attributes(directory, name, size) */
static int entry_attributes(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  const char *name = luaL_checkstring(L, 2);
  attributes_room room;
  prepare_attributes(L, 3, &room);
  size_t size = room.all.struct_size;
  if (!self->plugin->extension.entry_attributes) return 0;
  TF_Status *status = call_begin();
  self->plugin->extension.entry_attributes(&self->handle, name, &room.all, status);
  return answer_attributes(L, status, &room, size);
}

static int open_reader(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  const char *name = luaL_checkstring(L, 2);
  if (!self->plugin->extension.open_reader) return 0;
  runner_handle *handle = handle_new(L, self->plugin);
  TF_Status *status = call_begin();
  self->plugin->extension.open_reader(&self->handle, name, &handle->as.file, status);
  return answer_handle(L, status, handle->as.pointer);
}

/* open_writer(directory, name, how) */
static int open_entry_writer(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  const runner_plugin *p = self->plugin;
  const char *name = luaL_checkstring(L, 2);
  uint32_t flags = check_open_flags(L, 3);
  if (!p->extension.open_writer) return 0;
  runner_handle *handle = handle_new(L, p);
  TF_Status *status = call_begin();
  p->extension.open_writer(&p->fs, &self->handle, name, flags, &handle->as.writable, status);
  return answer_handle(L, status, handle->as.pointer);
}

static int create_subdirectory(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  const char *name = luaL_checkstring(L, 2);
  if (!self->plugin->extension.create_subdirectory) return 0;
  TF_Status *status = call_begin();
  self->plugin->extension.create_subdirectory(&self->handle, name, status);
  return call_end(L, status);
}

/* delete_entry(directory, name, is_directory) */
static int delete_entry(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  const char *name = luaL_checkstring(L, 2);
  bool is_directory = lua_toboolean(L, 3);
  if (!self->plugin->extension.delete_entry) return 0;
  TF_Status *status = call_begin();
  self->plugin->extension.delete_entry(&self->handle, name, is_directory, status);
  return call_end(L, status);
}

/* rename_entry(from, name, to, new_name), copy_entry likewise */
#define ENTRY_PAIR_METHOD(name)                                                                    \
  static int name(lua_State *L) {                                                                  \
    const runner_directory *from = check_directory(L, 1), *to = check_directory(L, 3);             \
    const char *src = luaL_checkstring(L, 2), *dst = luaL_checkstring(L, 4);                       \
    if (!from->plugin->extension.name) return 0;                                                   \
    TF_Status *status = call_begin();                                                              \
    from->plugin->extension.name(&from->handle, src, &to->handle, dst, status);                    \
    return call_end(L, status);                                                                    \
  }

ENTRY_PAIR_METHOD(rename_entry)
ENTRY_PAIR_METHOD(copy_entry)

/* copy_entry_keeping(from, name, to, new_name, which, size): kept and the source's attributes. */
static int copy_entry_keeping(lua_State *L) {
  const runner_directory *from = check_directory(L, 1), *to = check_directory(L, 3);
  const char *src = luaL_checkstring(L, 2), *dst = luaL_checkstring(L, 4);
  uint64_t which = (uint64_t)luaL_optinteger(L, 5, 0);
  attributes_room room;
  prepare_attributes(L, 6, &room);
  size_t size = room.all.struct_size;
  if (!from->plugin->extension.copy_entry_keeping) return 0;
  TF_Status *status = call_begin();
  uint64_t kept = from->plugin->extension.copy_entry_keeping(&from->handle, src, &to->handle, dst,
                                                             which, &room.all, status);
  answer_attributes(L, status, &room, size);
  answer_integer(L, "kept", (int64_t)kept);
  return 1;
}

const luaL_Reg runner_extension_methods[] = {{"open_directory", open_directory},
                                             {"next_entries", next_entries},
                                             {"directory", directory},
                                             {"create_private_dir", create_private_dir},
                                             {"lstat", lstat},
                                             {"get_attributes", get_attributes},
                                             {"reader_attributes", reader_attributes},
                                             {NULL, NULL}};
const luaL_Reg runner_directory_methods[] = {{"open_subdirectory", open_subdirectory},
                                             {"close_directory", close_directory},
                                             {"entry_attributes", entry_attributes},
                                             {"open_reader", open_reader},
                                             {"open_writer", open_entry_writer},
                                             {"create_subdirectory", create_subdirectory},
                                             {"delete_entry", delete_entry},
                                             {"rename_entry", rename_entry},
                                             {"copy_entry", copy_entry},
                                             {"copy_entry_keeping", copy_entry_keeping},
                                             {NULL, NULL}};
