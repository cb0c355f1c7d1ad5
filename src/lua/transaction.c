#include "binding.h"

#include <stdlib.h>

static void transaction_release(void *handle) {
  modfs_transaction_drop(handle);
}

const modfs_class modfs_transaction_class = {"modfs.Transaction", "transaction", "transaction",
                                             sizeof(modfs_object), transaction_release};

/* Objects ------------------------------------------------------------------- */

/* self is at the top of the stack and owns its reference from here on, so no error can leak it. */
static int push_the_one(lua_State *L, modfs_object *self) {
  push_known_object(L, &modfs_transaction_class, self->handle);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    remember_object(L, self->handle);
    return 1;
  }
  modfs_transaction_drop(self->handle);
  self->handle = NULL;
  return 1;
}

/* Methods ------------------------------------------------------------------- */

static int push_added(lua_State *L, modfs_transaction *transaction, const char *path) {
  TF_Status *status = state_status(L);
  modfs_transaction_add(transaction, path, status);
  return push_done(L, status);
}

static int transaction_add(lua_State *L) {
  const modfs_object *self = check_open(L, &modfs_transaction_class);
  const char *path = check_path(L, 2, NULL);
  return path ? push_added(L, handle_of(L, self), path) : 3;
}

static int push_committed(lua_State *L, modfs_object *self) {
  TF_Status *status = state_status(L);
  modfs_transaction_commit(self->handle, status);
  if (TF_GetCode(status) == TF_OK) object_end(self);
  return push_done(L, status);
}

static int transaction_commit(lua_State *L) {
  return push_committed(L, check_open(L, &modfs_transaction_class));
}

/* Also close. If the plugin cannot abort, the transaction and the object both stay open. */
static int transaction_abort(lua_State *L) {
  modfs_object *self = check_open(L, &modfs_transaction_class);
  TF_Status *status = state_status(L);
  modfs_transaction_abort(self->handle, status);
  if (TF_GetCode(status) == TF_OK) object_end(self);
  return push_done(L, status);
}

static int transaction_tostring(lua_State *L) {
  const modfs_object *self = check_self(L, &modfs_transaction_class);
  char **text = guard_string(L);
  int guard = lua_gettop(L);
  bool open = self->handle && modfs_transaction_is_open(self->handle);
  if (open) *text = modfs_transaction_decode(self->handle, state_status(L));
  if (*text)
    lua_pushstring(L, *text);
  else
    lua_pushfstring(L, "modfs.Transaction (%s)", open ? "open" : "closed");
  guard_end(L, guard);
  return 1;
}

/* Methods of Filesystem ----------------------------------------------------- */

/* The open transaction at arg; NULL after pushing the failure if it is another filesystem's. */
static modfs_object *check_transaction(lua_State *L, int arg, const modfs_fs *fs) {
  modfs_object *object = check_object(L, arg, &modfs_transaction_class);
  const modfs_fs *owner = modfs_transaction_fs(object->handle);
  if (owner == fs) return object;
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s: the transaction belongs to \"%s\", not to \"%s\"",
                    lua_tostring(L, lua_upvalueindex(3)), modfs_fs_scheme(owner),
                    modfs_fs_scheme(fs));
  return NULL;
}

int fs_start_transaction(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  TF_Status *status = state_status(L);
  modfs_object *self = object_new(L, &modfs_transaction_class);
  self->handle = modfs_transaction_start(fs, status);
  return self->handle ? push_the_one(L, self) : push_failure(L, status);
}

typedef modfs_transaction *finder(const modfs_fs *fs, const char *path, TF_Status *status);

static int find_transaction(lua_State *L, finder *find) {
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  if (!path) return 3;
  TF_Status *status = state_status(L);
  modfs_object *self = object_new(L, &modfs_transaction_class);
  self->handle = find(fs, path, status);
  return self->handle ? push_the_one(L, self) : push_failure(L, status);
}

int fs_get_transaction_for_path(lua_State *L) {
  return find_transaction(L, modfs_transaction_get);
}

int fs_get_or_start_transaction_for_path(lua_State *L) {
  return find_transaction(L, modfs_transaction_get_or_start);
}

int fs_end_transaction(lua_State *L) {
  modfs_object *object = check_transaction(L, 2, check_fs(L));
  return object ? push_committed(L, object) : 3;
}

int fs_add_to_transaction(lua_State *L) {
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  if (!path) return 3;
  const modfs_object *object = check_transaction(L, 3, fs);
  return object ? push_added(L, object->handle, path) : 3;
}

int fs_decode_transaction_token(lua_State *L) {
  const modfs_object *self = check_transaction(L, 2, check_fs(L));
  if (!self) return 3;
  TF_Status *status = state_status(L);
  char **text = guard_string(L);
  int guard = lua_gettop(L);
  *text = modfs_transaction_decode(handle_of(L, self), status);
  if (!*text) return push_failure(L, status);
  lua_pushstring(L, *text);
  guard_end(L, guard);
  return 1;
}

void modfs_lua_open_transaction(lua_State *L) {
  class_new(L, &modfs_transaction_class,
            FUNCTIONS({"add", transaction_add}, {"commit", transaction_commit},
                      {"abort", transaction_abort}, {"close", transaction_abort}),
            FUNCTIONS({"__tostring", transaction_tostring}));
}
