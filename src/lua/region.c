#include "bytes.h"
#include "collect.h"
#include "operation.h"

const modfs_class modfs_region_class = {"modfs.Region", "region", "region", sizeof(bytes_view),
                                        NULL};

static modfs_bytes *open_bytes(const modfs_fs *fs, const char *path, bool whole,
                               TF_Status *status) {
  return whole ? modfs_map(fs, path, status) : modfs_region_open(fs, path, status);
}

/* For a job: answer: the whole file. */
static void open_run(operation *self, TF_Status *status) {
  self->made = open_bytes(self->fs, self->path, self->answer, status);
}

static int open_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  bytes_view *view = object_new(L, &modfs_region_class);
  bytes_attach(view, self->made);
  self->made = NULL;
  return 1;
}

static void open_fini(operation *self) {
  modfs_bytes_drop(self->made);
}

static int start_opening(lua_State *L, const modfs_fs *fs, const char *path, bool whole) {
  static const operation_kind kind = {open_run, open_push, open_fini, true};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path, .answer = whole});
}

int modfs_lua_region_new(lua_State *L, const modfs_fs *fs, const char *path, bool whole) {
  enum { CHARGE = 64 * 1024 };
  if (operation_is_deferred(L)) return start_opening(L, fs, path, whole);
  TF_Status *status = state_status(L);
  bytes_view *self = object_new(L, &modfs_region_class);
  modfs_bytes *bytes = open_bytes(fs, path, whole, status);
  if (bytes == NULL && collect_for_retry(L, status)) bytes = open_bytes(fs, path, whole, status);
  if (bytes == NULL) return push_failure(L, status);
  bytes_attach(self, bytes);
  collect_charge(L, self->length < CHARGE ? self->length : CHARGE);
  return 1;
}

void modfs_lua_open_region(lua_State *L) {
  class_new(
      L, &modfs_region_class,
      FUNCTIONS({"sub", bytes_sub}, {"byte", bytes_byte}, {"find", bytes_find},
                {"unpack", bytes_unpack}, {"lines", bytes_lines}, {"slice", bytes_slice},
                {"pointer", bytes_pointer}, {"close", bytes_close}),
      FUNCTIONS({"__len", bytes_length}, {"__gc", bytes_collect}, {"__tostring", bytes_tostring}));
}
