/* Slots of the extension about links, attributes and checksums, by path and in an open directory. */
#include "runner_fs.h"

#include <string.h>

/* What a method of a Plugin or of a Directory works on. */
typedef struct subject {
  const runner_plugin *plugin;
  const modfs_directory *directory; /* NULL: paths */
} subject;

static subject subject_of_plugin(lua_State *L) {
  return (subject){check_plugin(L), NULL};
}

static subject subject_of_directory(lua_State *L) {
  const runner_directory *self = check_directory(L, 1);
  return (subject){self->plugin, &self->handle};
}

static int create_link(lua_State *L, subject of) {
  const char *path = luaL_checkstring(L, 2), *target = luaL_checkstring(L, 3);
  if (!of.plugin->extension.create_link) return 0;
  TF_Status *status = call_begin();
  of.plugin->extension.create_link(&of.plugin->fs, of.directory, path, target, status);
  return call_end(L, status);
}

static int read_link(lua_State *L, subject of) {
  const char *path = luaL_checkstring(L, 2);
  if (!of.plugin->extension.read_link) return 0;
  TF_Status *status = call_begin();
  char *target = of.plugin->extension.read_link(&of.plugin->fs, of.directory, path, status);
  return answer_text(L, of.plugin, target, "the string", status);
}

/* Takes a field of the table at 3 as a number, if it is there. */
static bool wants(lua_State *L, const char *name, int64_t *value) {
  lua_getfield(L, 3, name);
  bool given = !lua_isnil(L, -1);
  if (given && !compat_tonanoseconds(L, -1, value)) luaL_error(L, "%s: no integer", name);
  lua_pop(L, 1);
  return given;
}

/* Takes the table at 3, { mode =, owner =, group =, mtime_nsec =, atime_nsec =, of_link = true };
 * returns which are in it. The others are poisoned, as a plugin must not look at them. */
static uint64_t take_attributes(lua_State *L, modfs_attributes *attributes) {
  int64_t mode, owner, group;
  uint64_t which = 0;
  luaL_checktype(L, 3, LUA_TTABLE);
  memset(attributes, 0xa5, sizeof *attributes);
  attributes->struct_size = sizeof *attributes;
  memset(&mode, 0xa5, sizeof mode);
  owner = group = mode;
  if (wants(L, "mode", &mode)) which |= MODFS_ATTRIBUTE_MODE;
  if (wants(L, "mtime_nsec", &attributes->mtime_nsec)) which |= MODFS_ATTRIBUTE_MTIME;
  if (wants(L, "atime_nsec", &attributes->atime_nsec)) which |= MODFS_ATTRIBUTE_ATIME;
  attributes->mode = (uint32_t)mode;
  if (wants(L, "owner", &owner)) which |= MODFS_ATTRIBUTE_OWNER;
  if (wants(L, "group", &group)) which |= MODFS_ATTRIBUTE_GROUP;
  attributes->owner = (uint64_t)owner;
  attributes->group = (uint64_t)group;
  lua_getfield(L, 3, "of_link");
  if (lua_toboolean(L, -1)) which |= MODFS_ATTRIBUTE_OF_LINK;
  lua_pop(L, 1);
  return which;
}

/* set_attributes(subject, path, attributes) */
static int set_attributes(lua_State *L, subject of) {
  const char *path = luaL_checkstring(L, 2);
  modfs_attributes attributes;
  uint64_t which = take_attributes(L, &attributes);
  if (!of.plugin->extension.set_attributes) return 0;
  TF_Status *status = call_begin();
  of.plugin->extension.set_attributes(&of.plugin->fs, of.directory, path, &attributes, which,
                                      status);
  return call_end(L, status);
}

/* set_writer_attributes(plugin, handle, attributes) */
static int set_writer_attributes(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  const runner_handle *handle = luaL_checkudata(L, 2, HANDLE_CLASS);
  modfs_attributes attributes;
  uint64_t which = take_attributes(L, &attributes);
  if (!p->extension.set_writer_attributes) return 0;
  TF_Status *status = call_begin();
  p->extension.set_writer_attributes(&p->fs, &handle->as.writable, &attributes, which, status);
  return call_end(L, status);
}

static int stored_hash(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2), *algorithm = luaL_checkstring(L, 3);
  if (!p->extension.stored_hash) return 0;
  TF_Status *status = call_begin();
  char *text = p->extension.stored_hash(&p->fs, path, algorithm, status);
  return answer_text(L, p, text, "the string", status);
}

static int presign(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2), *method = luaL_checkstring(L, 3);
  uint64_t seconds = (uint64_t)luaL_checkinteger(L, 4);
  if (!p->extension.presign) return 0;
  TF_Status *status = call_begin();
  char *text = p->extension.presign(&p->fs, path, method, seconds, status);
  return answer_text(L, p, text, "the string", status);
}

#define BOTH(slot)                                                                                 \
  static int plugin_##slot(lua_State *L) {                                                         \
    return slot(L, subject_of_plugin(L));                                                          \
  }                                                                                                \
  static int directory_##slot(lua_State *L) {                                                      \
    return slot(L, subject_of_directory(L));                                                       \
  }

BOTH(create_link)
BOTH(read_link)
BOTH(set_attributes)

const luaL_Reg runner_link_methods[] = {{"create_link", plugin_create_link},
                                        {"read_link", plugin_read_link},
                                        {"set_attributes", plugin_set_attributes},
                                        {"set_writer_attributes", set_writer_attributes},
                                        {"stored_hash", stored_hash},
                                        {"presign", presign},
                                        {NULL, NULL}};
const luaL_Reg runner_directory_link_methods[] = {{"create_link", directory_create_link},
                                                  {"read_link", directory_read_link},
                                                  {"set_attributes", directory_set_attributes},
                                                  {NULL, NULL}};
