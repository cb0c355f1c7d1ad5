#include "operation.h"

#include <inttypes.h>

#include <modfs/extension.h>

/* What stat and lstat tell -------------------------------------------------- */

/* The fields of the table, and the kinds. */
enum {
  LENGTH,
  MTIME_NSEC,
  MTIME,
  IS_DIRECTORY,
  KIND,
  MODE,
  OWNER,
  GROUP,
  LINKS,
  DEVICE,
  INODE,
  KINDS,
  FIELDS = LINKS,
  IDENTITY = KINDS - LINKS
};

static const char *const words[] = {
    [LENGTH] = "length",
    [MTIME_NSEC] = "mtime_nsec",
    [MTIME] = "mtime",
    [IS_DIRECTORY] = "is_directory",
    [KIND] = "kind",
    [MODE] = "mode",
    [OWNER] = "owner",
    [GROUP] = "group",
    [LINKS] = "links",
    [DEVICE] = "device",
    [INODE] = "inode",
    [KINDS + MODFS_KIND_FILE - 1] = "file",
    [KINDS + MODFS_KIND_DIRECTORY - 1] = "directory",
    [KINDS + MODFS_KIND_LINK - 1] = "link",
    [KINDS + MODFS_KIND_OTHER - 1] = "other",
    NULL,
};

/* stat and lstat have the words as upvalues, which Lua need not look up. For a job another function
 * pushes them. */
typedef enum word_source { WORDS_HERE, WORDS_BY_TEXT } word_source;

static void push_word(lua_State *L, word_source from, int word) {
  if (from == WORDS_HERE)
    lua_pushvalue(L, lua_upvalueindex(4 + word));
  else
    lua_pushstring(L, words[word]);
}

/* Omitted where Lua cannot represent the number: a rounded one would name another entry. */
static void set_number(lua_State *L, word_source from, int word, uint64_t value) {
  if (value > INT64_MAX || !compat_integer_fits((int64_t)value)) return;
  push_word(L, from, word);
  compat_pushinteger(L, (int64_t)value);
  lua_rawset(L, -3);
}

static void set_identity(lua_State *L, word_source from, const modfs_attributes *attributes) {
  if (attributes->links > 0) set_number(L, from, LINKS, attributes->links);
  if (attributes->device == 0 && attributes->inode == 0) return;
  set_number(L, from, DEVICE, attributes->device);
  set_number(L, from, INODE, attributes->inode);
}

/* Times are rounded where Lua has no 64-bit integers. */
static void set_times(lua_State *L, word_source from, int64_t mtime_nsec) {
  push_word(L, from, MTIME_NSEC);
  compat_pushinteger(L, mtime_nsec);
  lua_rawset(L, -3);
  push_word(L, from, MTIME);
  lua_pushnumber(L, (lua_Number)mtime_nsec / 1e9);
  lua_rawset(L, -3);
}

static void set_kind(lua_State *L, word_source from, int kind) {
  push_word(L, from, IS_DIRECTORY);
  lua_pushboolean(L, kind == MODFS_KIND_DIRECTORY);
  lua_rawset(L, -3);
  push_word(L, from, KIND);
  push_word(L, from, KINDS + kind - 1);
  lua_rawset(L, -3);
}

static int push_attributes(lua_State *L, const char *path, const modfs_attributes *attributes,
                           bool with_identity, word_source from) {
  if (!compat_integer_fits(attributes->length)) return push_length(L, path, attributes->length);
  lua_createtable(L, 0, with_identity ? FIELDS + IDENTITY : FIELDS);
  set_number(L, from, LENGTH, (uint64_t)attributes->length);
  set_times(L, from, attributes->mtime_nsec);
  set_kind(L, from, attributes->kind);
  const uint64_t known = attributes->known;
  if (known & MODFS_ATTRIBUTE_MODE) set_number(L, from, MODE, attributes->mode);
  if (known & MODFS_ATTRIBUTE_OWNER) set_number(L, from, OWNER, attributes->owner);
  if (known & MODFS_ATTRIBUTE_GROUP) set_number(L, from, GROUP, attributes->group);
  if (with_identity) set_identity(L, from, attributes);
  return 1;
}

/* For a job. answer: with the identity. */
static void attributes_run(operation *self, TF_Status *status) {
  self->attributes.struct_size = sizeof self->attributes;
  self->call.attributes(self->fs, self->path, &self->attributes, status);
}

static int attributes_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_attributes(L, self->path, &self->attributes, self->answer, WORDS_BY_TEXT);
}

static int start_attributes(lua_State *L, attributes_call *call, bool with_identity) {
  static const operation_kind kind = {attributes_run, attributes_push, NULL, true};
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  return operation_perform(
      L,
      &(operation){
          .kind = &kind, .fs = fs, .path = path, .call.attributes = call, .answer = with_identity});
}

static int call_attributes(lua_State *L, attributes_call *call, bool with_identity) {
  const modfs_state *state = state_here(L);
  if (state_is_deferred(L, state)) return start_attributes(L, call, with_identity);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  modfs_attributes attributes;
  attributes.struct_size = sizeof attributes;
  call(fs, path, &attributes, state->status);
  if (TF_GetCode(state->status) != TF_OK) return push_failure(L, state->status);
  return push_attributes(L, path, &attributes, with_identity, WORDS_HERE);
}

static int attributes_stat(lua_State *L) {
  no_options(L, 2);
  return call_attributes(L, modfs_fs_get_attributes, false);
}

static int attributes_lstat(lua_State *L) {
  no_options(L, 2);
  return call_attributes(L, modfs_fs_lstat, true);
}

/* Setting them -------------------------------------------------------------- */

/* n: which of them. */
static void set_run(operation *self, TF_Status *status) {
  modfs_fs_set_attributes(self->fs, self->path, &self->attributes, self->n, status);
}

static int set_attributes(lua_State *L, const modfs_attributes *attributes, uint64_t which) {
  static const operation_kind kind = {set_run, operation_push_done, NULL, false};
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  return operation_perform(
      L,
      &(operation){.kind = &kind, .fs = fs, .path = path, .attributes = *attributes, .n = which});
}

static int attributes_chmod(lua_State *L) {
  no_options(L, 3);
  enum { MODES = 07777 };
  check_string(L, 1, NULL);
  if (lua_type(L, 2) == LUA_TSTRING) type_error(L, 2, "number"); /* "644" is meant in octal */
  int64_t mode = check_integer(L, 2);
  if (mode < 0 || mode > MODES)
    return push_failure_code(L, TF_INVALID_ARGUMENT,
                             "chmod %s: mode %" PRId64 " is not between 0 and 4095 (octal 7777)",
                             lua_tostring(L, 1), mode);
  return set_attributes(L, &(modfs_attributes){.mode = (uint32_t)mode}, MODFS_ATTRIBUTE_MODE);
}

static int attributes_utime(lua_State *L) {
  no_options(L, 4);
  check_string(L, 1, NULL);
  modfs_attributes attributes = {.mtime_nsec = check_nanoseconds(L, 2)};
  uint64_t which = MODFS_ATTRIBUTE_MTIME;
  if (!lua_isnoneornil(L, 3)) {
    attributes.atime_nsec = check_nanoseconds(L, 3);
    which |= MODFS_ATTRIBUTE_ATIME;
  }
  return set_attributes(L, &attributes, which);
}

/* Room ----------------------------------------------------------------------- */

static void space_run(operation *self, TF_Status *status) {
  self->room_left = (modfs_space){.struct_size = sizeof self->room_left};
  modfs_fs_get_space(self->fs, self->path, &self->room_left, status);
}

static int space_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_createtable(L, 0, 3);
  push_sum(L, self->room_left.total);
  lua_setfield(L, -2, "total");
  push_sum(L, self->room_left.free);
  lua_setfield(L, -2, "free");
  push_sum(L, self->room_left.available);
  lua_setfield(L, -2, "available");
  return 1;
}

static int attributes_space(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {space_run, space_push, NULL, true};
  return operation_perform_path(L, &kind);
}

void modfs_lua_open_attributes(lua_State *L) {
  set_functions_with(L, FUNCTIONS({"stat", attributes_stat}, {"lstat", attributes_lstat}), words);
  set_functions(L, FUNCTIONS({"chmod", attributes_chmod}, {"utime", attributes_utime},
                             {"space", attributes_space}));
}
