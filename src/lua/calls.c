#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/string_list.h"

/* One path ----------------------------------------------------------------------- */

static void path_run(operation *self, TF_Status *status) {
  self->call.path(self->fs, self->path, status);
}

int call_path(lua_State *L, path_call *call, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {path_run, operation_push_done, NULL, false};
  return operation_perform(L,
                           &(operation){.kind = &kind, .fs = fs, .path = path, .call.path = call});
}

static void names_run(operation *self, TF_Status *status) {
  self->call.names(self->fs, self->path, &self->names, status);
  if (self->answer) string_list_unite(&self->names);
}

static int names_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_names(L, &self->names);
  return 1;
}

static void names_fini(operation *self) {
  modfs_string_list_fini(&self->names);
}

int call_names(lua_State *L, names_call *call, const modfs_fs *fs, const char *path, bool sorts) {
  static const operation_kind kind = {names_run, names_push, names_fini, true};
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .call.names = call, .answer = sorts});
}

static void size_run(operation *self, TF_Status *status) {
  self->number = modfs_fs_get_file_size(self->fs, self->path, status);
}

static int size_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  return push_length(L, self->path, self->number);
}

int call_file_size(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {size_run, size_push, NULL, true};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path});
}

static void text_run(operation *self, TF_Status *status) {
  self->text = self->call.text(self->fs, self->path, status);
}

int call_text(lua_State *L, text_call *call, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {text_run, operation_push_text, operation_end_text, true};
  return operation_perform(L,
                           &(operation){.kind = &kind, .fs = fs, .path = path, .call.text = call});
}

/* offset: the files, n: the directories that are left. */
static void delete_run(operation *self, TF_Status *status) {
  uint64_t files = 0, directories = 0;
  modfs_fs_delete_recursively(self->fs, self->path, &files, &directories, status);
  self->offset = files;
  self->n = directories;
}

static int delete_push(lua_State *L, operation *self, const TF_Status *status) {
  int results = push_done(L, status);
  push_count(L, self->offset);
  push_count(L, self->n);
  return results + 2;
}

int delete_recursively(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {delete_run, delete_push, NULL, false};
  return operation_perform(L, &(operation){.kind = &kind, .fs = fs, .path = path});
}

int push_undeleted(lua_State *L) {
  push_count(L, 0);
  push_count(L, 1);
  return 5;
}

/* Two paths ---------------------------------------------------------------------- */

static void pair_run(operation *self, TF_Status *status) {
  self->call.pair(self->fs, self->path, self->to, self->dst, status);
}

int call_pair(lua_State *L, pair_call *call, const path_pair *pair) {
  static const operation_kind kind = {pair_run, operation_push_done, NULL, false};
  return operation_perform_pair(L, pair, &(operation){.kind = &kind, .call.pair = call});
}

/* Many paths --------------------------------------------------------------------- */

/* Each path is two strings in the data: the code that is known already, or "", and the path. */
typedef struct question {
  const char *code, *path;
} question;

static question next_question(const char **place) {
  question next = {*place, *place + strlen(*place) + 1};
  *place = next.path + strlen(next.path) + 1;
  return next;
}

static void exist_run(operation *self, TF_Status *status) {
  const char *place = self->data;
  TF_Code *codes = calloc(self->n + 1, sizeof *codes);
  self->made = codes;
  for (uint64_t i = 0; codes && i < self->n; i++) {
    question asked = next_question(&place);
    if (*asked.code) continue;
    modfs_fs_path_exists(modfs_fs_of(asked.path), asked.path, status);
    codes[i] = TF_GetCode(status);
  }
  TF_SetStatus(status, TF_OK, "");
  if (!codes) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static void exist_within_run(operation *self, TF_Status *status) {
  const char *place = self->data;
  const char **paths = malloc((self->n + 1) * sizeof *paths);
  TF_Code *codes = calloc(self->n + 1, sizeof *codes);
  self->made = codes;
  if (paths && codes) {
    for (uint64_t i = 0; i < self->n; i++)
      paths[i] = next_question(&place).path;
    modfs_fs_paths_exist(self->fs, paths, self->n, codes, status);
  } else {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  }
  free(paths);
}

static int exist_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  const TF_Code *codes = self->made;
  const char *place = self->data;
  bool all = true;
  int count = (int)self->n;
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    const char *known = next_question(&place).code;
    const char *code = *known ? known : modfs_code_name(codes[i]);
    all = all && strcmp(code, "OK") == 0;
    lua_pushstring(L, code);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushboolean(L, all);
  lua_insert(L, -2);
  return 2;
}

static void exist_fini(operation *self) {
  free(self->made);
}

/* Replaces the path at the top of the stack by what is known of it before it is asked for, and the
 * path: its plugin is loaded here. */
static void insert_known(lua_State *L) {
  const char *path = lua_tostring(L, -1);
  if (strlen(path) != lua_rawlen(L, -1)) {
    lua_pushstring(L, modfs_code_name(TF_INVALID_ARGUMENT));
  } else if (find_fs(L, path)) {
    lua_pushliteral(L, "");
  } else { /* nil, message, code */
    lua_replace(L, -3);
    lua_pop(L, 1);
  }
  lua_insert(L, -2);
}

/* Pushes a list of both strings of each path, and returns their size. */
static size_t push_questions(lua_State *L, int arg, bool loads, int count) {
  lua_createtable(L, 2 * count, 0);
  int list = lua_gettop(L);
  size_t size = 1;
  for (int i = 1; i <= count; i++) {
    if (!loads) lua_pushliteral(L, "");
    lua_rawgeti(L, arg, i);
    if (loads ? !lua_isstring(L, -1) : lua_type(L, -1) != LUA_TSTRING)
      arg_error(L, arg, "path #%d: string expected, got %s", i, luaL_typename(L, -1));
    if (loads) insert_known(L);
    size += strlen(lua_tostring(L, -2)) + strlen(lua_tostring(L, -1)) + 2;
    lua_rawseti(L, list, 2 * i);
    lua_rawseti(L, list, 2 * i - 1);
  }
  return size;
}

/* False, after pushing the failure, for a path with a NUL. */
static bool copy_questions(lua_State *L, int list, char *place, bool loads) {
  int count = (int)lua_rawlen(L, list);
  for (int i = 1; i <= count; i++) {
    size_t length;
    lua_rawgeti(L, list, i);
    const char *text = lua_tolstring(L, -1, &length);
    lua_pop(L, 1);
    place = stpcpy(place, text) + 1;
    if (loads || strlen(text) == length) continue;
    push_failure_code(L, TF_INVALID_ARGUMENT, "paths_exist %s: embedded NUL", text);
    return false;
  }
  return true;
}

int call_exist(lua_State *L, int arg, const modfs_fs *fs) {
  static const operation_kind each = {exist_run, exist_push, exist_fini, true};
  static const operation_kind within = {exist_within_run, exist_push, exist_fini, true};
  int count = (int)lua_rawlen(L, arg);
  size_t size = push_questions(L, arg, !fs, count);
  int list = lua_gettop(L);
  char *data = compat_newuserdata(L, size);
  if (!copy_questions(L, list, data, !fs)) return 3;
  return operation_perform(L, &(operation){.kind = fs ? &within : &each,
                                           .fs = fs,
                                           .data = data,
                                           .length = size,
                                           .n = (uint64_t)count});
}
