#include "calls.h"

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

static void add_run(operation *self, TF_Status *status) {
  modfs_transaction_add(self->handle, self->path, status);
}

static int call_add(lua_State *L, modfs_object *self, const char *path) {
  static const operation_kind kind = {add_run, operation_push_done, NULL, false};
  return operation_perform(L, &(operation){.kind = &kind,
                                           .object = self,
                                           .handle = handle_of(L, self),
                                           .turn = OPERATION_ORDERED,
                                           .path = path});
}

static int transaction_add(lua_State *L) {
  no_options(L, 3);
  modfs_object *self = check_open(L, &modfs_transaction_class);
  const char *path = check_path(L, 2, NULL);
  return path ? call_add(L, self, path) : 3;
}

/* If it fails, the transaction and the object both stay open. */
static int end_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) == TF_OK && self->object->handle == self->handle) object_end(self->object);
  return push_done(L, status);
}

static int call_end(lua_State *L, const operation_kind *kind, modfs_object *self) {
  return operation_perform(L, &(operation){.kind = kind,
                                           .object = self,
                                           .handle = handle_of(L, self),
                                           .turn = OPERATION_EXCLUSIVE});
}

static void commit_run(operation *self, TF_Status *status) {
  modfs_transaction_commit(self->handle, status);
}

static int call_commit(lua_State *L, modfs_object *self) {
  static const operation_kind kind = {commit_run, end_push, NULL, false};
  return call_end(L, &kind, self);
}

static int transaction_commit(lua_State *L) {
  no_options(L, 2);
  return call_commit(L, check_open(L, &modfs_transaction_class));
}

static void abort_run(operation *self, TF_Status *status) {
  modfs_transaction_abort(self->handle, status);
}

/* Also close. */
static int transaction_abort(lua_State *L) {
  static const operation_kind kind = {abort_run, end_push, NULL, false};
  return call_end(L, &kind, check_open(L, &modfs_transaction_class));
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

typedef modfs_transaction *finder(const modfs_fs *fs, const char *path, TF_Status *status);

static void find_run(operation *self, TF_Status *status) {
  self->made = ((finder *)self->call.other)(self->fs, self->path, status);
}

static int find_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  return push_the_one(L, operation_push_made(L, self));
}

static int find_transaction(lua_State *L, finder *find, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {find_run, find_push, operation_end_made, false};
  return operation_perform(L, &(operation){.kind = &kind,
                                           .fs = fs,
                                           .path = path,
                                           .class = &modfs_transaction_class,
                                           .call.other = (void (*)(void))find});
}

static modfs_transaction *start_it(const modfs_fs *fs, const char *path, TF_Status *status) {
  (void)path;
  return modfs_transaction_start(fs, status);
}

int fs_start_transaction(lua_State *L) {
  no_options(L, 2);
  return find_transaction(L, start_it, check_fs(L), NULL);
}

static int find_for_path(lua_State *L, finder *find) {
  no_options(L, 3);
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  return path ? find_transaction(L, find, fs, path) : 3;
}

int fs_get_transaction_for_path(lua_State *L) {
  return find_for_path(L, modfs_transaction_get);
}

int fs_get_or_start_transaction_for_path(lua_State *L) {
  return find_for_path(L, modfs_transaction_get_or_start);
}

int fs_end_transaction(lua_State *L) {
  no_options(L, 3);
  modfs_object *object = check_transaction(L, 2, check_fs(L));
  return object ? call_commit(L, object) : 3;
}

int fs_add_to_transaction(lua_State *L) {
  no_options(L, 4);
  const modfs_fs *fs = check_fs(L);
  const char *path = check_path(L, 2, NULL);
  if (!path) return 3;
  modfs_object *object = check_transaction(L, 3, fs);
  return object ? call_add(L, object, path) : 3;
}

static void decode_run(operation *self, TF_Status *status) {
  self->text = modfs_transaction_decode(self->handle, status);
}

int fs_decode_transaction_token(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {decode_run, operation_push_text, operation_end_text, true};
  modfs_object *self = check_transaction(L, 2, check_fs(L));
  if (!self) return 3;
  return operation_perform(
      L, &(operation){
             .kind = &kind, .object = self, .handle = handle_of(L, self), .turn = OPERATION_FREE});
}

void modfs_lua_open_transaction(lua_State *L) {
  class_new(L, &modfs_transaction_class,
            FUNCTIONS({"add", transaction_add}, {"commit", transaction_commit},
                      {"abort", transaction_abort}, {"close", transaction_abort}),
            FUNCTIONS({"__tostring", transaction_tostring}));
}
