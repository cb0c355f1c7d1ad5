#include "calls.h"
#include "choice.h"
#include "collect.h"

#include <stdlib.h>
#include <string.h>

#include "question.h"

/* The module functions that create, delete, rename, copy and list by path: mkdir, remove, copy, glob
 * and others. Operations on whole trees are objects, in tree_object.c. */

static int path_mkdir(lua_State *L) {
  static const char *const options[] = {"private", NULL};
  check_options(L, 2, options);
  bool private = option_boolean(L, 2, "private", false);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  return call_path(L, private ? modfs_fs_create_private_dir : modfs_fs_create_dir, fs, path);
}

PATH_FUNCTION(path_makedirs, call_path(L, modfs_fs_recursively_create_dir, fs, path))
PATH_FUNCTION(path_remove, call_path(L, modfs_fs_delete_file, fs, path))
PATH_FUNCTION(path_rmdir, call_path(L, modfs_fs_delete_dir, fs, path))
PATH_FUNCTION(path_listdir, call_names(L, modfs_fs_get_children, fs, path, true))

static void glob_run(operation *self, TF_Status *status) {
  modfs_glob_chosen(self->fs, self->path, self->choice, &self->names, status);
}

static int glob_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_names(L, &self->names);
  return 1;
}

static void glob_fini(operation *self) {
  modfs_string_list_fini(&self->names);
}

/* The filter is called on this thread. */
static int glob_filtered(lua_State *L, const operation *self, script_filter *filter) {
  modfs_string_list *names = guard_names(L);
  int guard = lua_gettop(L);
  collect_for_descriptors(L);
  TF_Status *status = state_status(L);
  filter_arm(L, filter, filter->function);
  modfs_glob_chosen(self->fs, self->path, self->choice, names, status);
  filter_disarm(L, filter);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_names(L, names);
  guard_end(L, guard);
  return 1;
}

static int path_glob(lua_State *L) {
  static const char *const options[] = {CHOICE_OPTIONS, NULL};
  static const operation_kind kind = {glob_run, glob_push, glob_fini, true};
  const char *pattern;
  modfs_choice *choice;
  lua_settop(L, 2);
  check_options(L, 2, options);
  const modfs_fs *fs = check_path_fs(L, 1, &pattern);
  if (!fs) return 3;
  script_filter *filter = compat_newuserdata(L, sizeof *filter);
  *filter = (script_filter){.L = NULL};
  if (!read_choice(L, 2, filter, &choice)) return 3;
  bool filters = !lua_isnil(L, filter->function);
  operation self = {.kind = &kind,
                    .fs = fs,
                    .path = pattern,
                    .choice = choice,
                    .function = filters ? filter->function : 0};
  if (filters && !operation_is_deferred(L)) return glob_filtered(L, &self, filter);
  return operation_perform(L, &self);
}

static int path_rename(lua_State *L) {
  no_options(L, 3);
  path_pair pair;
  return check_path_pair(L, 1, &pair) ? call_pair(L, modfs_rename, &pair) : 3;
}

/* A script's progress callback: the stack indices of its function and of call_script. */
typedef struct script {
  lua_State *L;
  int progress, call;
  const char *path;
  uint64_t done, total;
  bool failed; /* the callback's error is at the top of the stack */
} script;

/* The part that may raise, for a protected call: calls the script's function, the second argument,
 * for the script, the first. */
static int call_script(lua_State *L) {
  const script *told = lua_touserdata(L, 1);
  push_count(L, told->done);
  push_count(L, told->total);
  lua_pushstring(L, told->path);
  lua_call(L, 3, 1);
  return 1;
}

/* The copy has memory and open files while this runs, so nothing may be raised here. */
static bool tell_script(void *context, uint64_t done, uint64_t total) {
  script *told = context;
  lua_State *L = told->L;
  told->done = done;
  told->total = total;
  lua_pushvalue(L, told->call);
  lua_pushlightuserdata(L, told);
  lua_pushvalue(L, told->progress);
  told->failed = lua_pcall(L, 2, 1, 0) != 0;
  if (told->failed) return false;
  bool stop = lua_isboolean(L, -1) && !lua_toboolean(L, -1);
  lua_pop(L, 1);
  return !stop;
}

/* The function is at the top of the stack. */
static int copy_telling(lua_State *L, const path_pair *pair) {
  TF_Status *status = state_status(L);
  lua_pushcfunction(L, call_script);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  int top = lua_gettop(L);
  script told = {.L = L, .progress = top - 1, .call = top, .path = pair->src};
  modfs_copy_progress progress = {tell_script, &told};
  collect_for_descriptors(L);
  modfs_copy_with(pair->from, pair->src, pair->to, pair->dst, &progress, status);
  return told.failed ? lua_error(L) : push_done(L, status);
}

/* The same for a job, whose thread asks the function. */
typedef struct progress_question {
  question question;
  uint64_t done, total;
  char path[];
} progress_question;

static int push_progress(lua_State *L, const question *asked) {
  const progress_question *self = (const progress_question *)asked; /* the first member */
  push_count(L, self->done);
  push_count(L, self->total);
  lua_pushstring(L, self->path);
  return 3;
}

typedef struct asking_copy {
  const char *path;
  TF_Status *failure; /* why it could not ask, or ends */
} asking_copy;

static bool ask_to_go_on(void *context, uint64_t done, uint64_t total) {
  const asking_copy *copy = context;
  size_t size = strlen(copy->path) + 1;
  progress_question *self = malloc(sizeof *self + size);
  if (!self) {
    TF_SetStatus(copy->failure, TF_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  *self = (progress_question){{push_progress}, done, total};
  memcpy(self->path, copy->path, size);
  question_answer answer = question_ask(&self->question, copy->failure);
  return answer == ANSWER_NIL || answer == ANSWER_TRUE;
}

static void telling_run(operation *self, TF_Status *status) {
  asking_copy copy = {self->path, TF_NewStatus()};
  modfs_copy_progress progress = {ask_to_go_on, &copy};
  if (copy.failure) modfs_copy_with(self->fs, self->path, self->to, self->dst, &progress, status);
  if (!copy.failure || TF_GetCode(copy.failure) == TF_RESOURCE_EXHAUSTED)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  TF_DeleteStatus(copy.failure);
}

static int copy_asking(lua_State *L, const path_pair *pair) {
  static const operation_kind kind = {telling_run, operation_push_done, NULL, false};
  return operation_perform_pair(L, pair, &(operation){.kind = &kind, .function = lua_gettop(L)});
}

/* A target that ends in a slash is the directory to copy into. Strings of the pair may be pushed. */
static void copy_into(lua_State *L, path_pair *pair) {
  size_t length = strlen(pair->dst);
  if (length == 0 || pair->dst[length - 1] != '/') return;
  char **name = guard_string(L), **joined = guard_string(L);
  *name = modfs_path_basename(pair->src);
  *joined = *name ? modfs_path_join(pair->dst, *name) : NULL;
  if (!*joined) raise_no_memory(L);
  if (**name == '\0') return;
  lua_pushstring(L, *joined);
  pair->dst = lua_tostring(L, -1);
}

static int path_copy(lua_State *L) {
  static const char *const options[] = {"progress", NULL};
  path_pair pair;
  check_options(L, 3, options);
  lua_settop(L, 3);
  if (!check_path_pair(L, 1, &pair)) return 3;
  copy_into(L, &pair);
  if (!push_option_function(L, 3, "progress")) return call_pair(L, modfs_copy, &pair);
  return operation_is_deferred(L) ? copy_asking(L, &pair) : copy_telling(L, &pair);
}

/* dst: the method; n: seconds. */
static void presign_run(operation *self, TF_Status *status) {
  self->text = modfs_fs_presign(self->fs, self->path, self->dst, self->n, status);
}

static int path_presign(lua_State *L) {
  no_options(L, 4);
  enum { HOUR = 3600 };
  static const operation_kind kind = {presign_run, operation_push_text, operation_end_text, true};
  const char *path, *method = lua_isnoneornil(L, 2) ? "GET" : check_path(L, 2, NULL);
  int64_t seconds = opt_integer(L, 3, HOUR);
  if (!method) return 3;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  uint64_t n = seconds > 0 ? (uint64_t)seconds : 0;
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .dst = method, .n = n});
}

static void flush_run(operation *self, TF_Status *status) {
  (void)self;
  TF_SetStatus(status, TF_OK, "");
  for (const modfs_fs *fs = modfs_fs_next(NULL); fs; fs = modfs_fs_next(fs))
    modfs_fs_flush_caches(fs);
}

static int module_flush_caches(lua_State *L) {
  no_options(L, 1);
  static const operation_kind kind = {flush_run, operation_push_done, NULL, false};
  return operation_perform(L, &(operation){.kind = &kind});
}

void modfs_lua_open_path_operations(lua_State *L) {
  set_functions(L,
                FUNCTIONS({"mkdir", path_mkdir}, {"makedirs", path_makedirs},
                          {"remove", path_remove}, {"rmdir", path_rmdir}, {"rename", path_rename},
                          {"copy", path_copy}, {"listdir", path_listdir}, {"glob", path_glob},
                          {"presign", path_presign}, {"flush_caches", module_flush_caches}));
}
