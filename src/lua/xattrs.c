/* Extended attributes by their names: of files of the machine, and the metadata of objects. */
#include <stdlib.h>

#include "core/fs/fs.h"
#include "operation.h"

/* The block is the text, `used` its size. */
static void get_run(operation *self, TF_Status *status) {
  const fs_xattrs found = fs_path_xattrs(self->fs, self->path, status);
  self->text = found.block;
  self->used = found.size;
}

static int get_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  const fs_xattrs found = {self->text, self->used};
  fs_xattr each;
  lua_newtable(L);
  for (size_t at = 0; fs_next_xattr(&found, &at, &each);) {
    lua_pushlstring(L, each.value, each.length);
    lua_setfield(L, -2, each.name);
  }
  return 1;
}

static int module_xattrs(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {get_run, get_push, operation_end_text, true};
  return operation_perform_path(L, &kind);
}

/* dst: the name; data: the value; answer: there is one. */
static void set_run(operation *self, TF_Status *status) {
  const fs_xattr wanted = {self->dst, self->answer ? self->data : NULL, (uint32_t)self->length};
  fs_change_xattr(self->fs, self->path, &wanted, status);
}

static int module_setxattr(lua_State *L) {
  no_options(L, 4);
  static const operation_kind kind = {set_run, operation_push_done, NULL, false};
  size_t length = 0;
  const bool sets = !lua_isnoneornil(L, 3);
  const char *path, *value = sets ? check_string(L, 3, &length) : NULL;
  const char *name = check_path(L, 2, NULL);
  const modfs_fs *fs = name ? check_path_fs(L, 1, &path) : NULL;
  if (!fs) return 3;
  if (length > INT32_MAX)
    return push_failure_code(L, TF_INVALID_ARGUMENT, "setxattr %s: the value has %zu bytes", path,
                             length);
  return operation_perform(L, &(operation){.kind = &kind,
                                           .fs = fs,
                                           .path = path,
                                           .dst = name,
                                           .data = value,
                                           .length = length,
                                           .answer = sets});
}

void modfs_lua_open_xattrs(lua_State *L) {
  set_functions(L, FUNCTIONS({"xattrs", module_xattrs}, {"setxattr", module_setxattr}));
}
