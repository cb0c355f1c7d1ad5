#include "calls.h"

#include <modfs/extension.h>

static void symlink_run(operation *self, TF_Status *status) {
  modfs_fs_create_link(self->fs, self->path, self->dst, status);
}

static int link_symlink(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {symlink_run, operation_push_done, NULL, false};
  const char *path, *target = check_path(L, 1, NULL);
  if (!target) return 3;
  const modfs_fs *fs = check_path_fs(L, 2, &path);
  if (!fs) return 3;
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path, .dst = target});
}

PATH_FUNCTION(link_readlink, call_text(L, modfs_fs_read_link, fs, path))

/* Where there are no links, or no entry, the answer is false. */
static bool is_none(TF_Code code) {
  return code == TF_NOT_FOUND || code == TF_FAILED_PRECONDITION || code == TF_UNIMPLEMENTED;
}

static void islink_run(operation *self, TF_Status *status) {
  self->attributes.struct_size = sizeof self->attributes;
  modfs_fs_lstat(self->fs, self->path, &self->attributes, status);
}

static int islink_push(lua_State *L, operation *self, const TF_Status *status) {
  TF_Code code = TF_GetCode(status);
  if (code != TF_OK && !is_none(code)) return push_failure(L, status);
  lua_pushboolean(L, code == TF_OK && self->attributes.kind == MODFS_KIND_LINK);
  return 1;
}

static int link_islink(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {islink_run, islink_push, NULL, true};
  return operation_perform_path(L, &kind);
}

void modfs_lua_open_link(lua_State *L) {
  set_functions(L, FUNCTIONS({"symlink", link_symlink}, {"readlink", link_readlink},
                             {"islink", link_islink}));
}
