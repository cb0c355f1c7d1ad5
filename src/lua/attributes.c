#include "operation.h"

#include <inttypes.h>

#include <modfs/extension.h>

/* What stat and lstat tell -------------------------------------------------- */

/* Omitted where Lua cannot represent the number: a rounded one would name another entry. */
static void set_number(lua_State *L, const char *name, uint64_t value) {
  if (value > INT64_MAX || !compat_integer_fits((int64_t)value)) return;
  push_integer(L, (int64_t)value);
  lua_setfield(L, -2, name);
}

static void set_identity(lua_State *L, const modfs_attributes *attributes) {
  if (attributes->links > 0) set_number(L, "links", attributes->links);
  if (attributes->device == 0 && attributes->inode == 0) return;
  set_number(L, "device", attributes->device);
  set_number(L, "inode", attributes->inode);
}

static int push_attributes(lua_State *L, const char *path, const modfs_attributes *attributes,
                           bool with_identity) {
  enum { FIELDS = 4, IDENTITY = 3 }; /* kind, mode, owner, group; links, device, inode */
  TF_FileStatistics stats = {attributes->length, attributes->mtime_nsec,
                             attributes->kind == MODFS_KIND_DIRECTORY};
  int results = push_stat(L, path, &stats, with_identity ? FIELDS + IDENTITY : FIELDS);
  if (results > 1) return results;
  lua_pushstring(L, kind_name(attributes->kind));
  lua_setfield(L, -2, "kind");
  const uint64_t known = attributes->known;
  if (known & MODFS_ATTRIBUTE_MODE) set_number(L, "mode", attributes->mode);
  if (known & MODFS_ATTRIBUTE_OWNER) set_number(L, "owner", attributes->owner);
  if (known & MODFS_ATTRIBUTE_GROUP) set_number(L, "group", attributes->group);
  if (with_identity) set_identity(L, attributes);
  return 1;
}

/* For a job. answer: with the identity. */
static void attributes_run(operation *self, TF_Status *status) {
  self->attributes.struct_size = sizeof self->attributes;
  self->call.attributes(self->fs, self->path, &self->attributes, status);
}

static int attributes_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_attributes(L, self->path, &self->attributes, self->answer);
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
  return push_attributes(L, path, &attributes, with_identity);
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
  set_functions(L, FUNCTIONS({"stat", attributes_stat}, {"lstat", attributes_lstat},
                             {"chmod", attributes_chmod}, {"utime", attributes_utime},
                             {"space", attributes_space}));
}
