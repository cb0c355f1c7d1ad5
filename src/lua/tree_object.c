#include "calls.h"
#include "choice.h"
#include "collect.h"

#include <string.h>

/* An operation on a tree, as an object that a script steps. No function of the script is ever
 * called while a plugin's frame is on the stack, and worker threads never see the Lua state. The
 * function of a filter is kept in a table of the registry, by object, until the object is closed; jobs
 * ask it. */

typedef struct tree_object {
  modfs_object object;
  script_filter filter;
  bool filters; /* there is a filter */
} tree_object;

static const char filters_key = 0;

static void tree_release(void *handle) {
  modfs_tree_close(handle);
}

const modfs_class modfs_tree_class = {"modfs.Tree", "tree", "tree", sizeof(tree_object),
                                      tree_release};

static const char *const operations[] = {"du", "rmtree", "copytree", "sync"};
enum { DU, RMTREE, COPYTREE, SYNC };

static const char *const option_names[] = {CHOICE_OPTIONS, "threads", "progress",  "delete",
                                           "checksum",     "dry_run", "size_only", "links",
                                           "preserve",     "entries", NULL};

/* A greater number is accepted, but not used. */
static size_t read_threads(lua_State *L, int arg) {
  int64_t value = 0;
  if (lua_isnoneornil(L, arg)) return 0;
  lua_pushliteral(L, "threads");
  lua_rawget(L, arg);
  bool given = !lua_isnil(L, -1);
  if (given && (lua_type(L, -1) != LUA_TNUMBER || !compat_tointeger(L, -1, &value)))
    arg_error(L, arg, "option 'threads': integer expected, got %s", luaL_typename(L, -1));
  if (given && value < 1) arg_error(L, arg, "option 'threads': at least 1 expected");
  lua_pop(L, 1);
  return (size_t)value;
}

/* Pushes the option of that name. */
static bool push_option(lua_State *L, int arg, const char *name) {
  if (lua_isnoneornil(L, arg)) {
    lua_pushnil(L);
    return false;
  }
  lua_pushstring(L, name);
  lua_rawget(L, arg);
  return !lua_isnil(L, -1);
}

static int read_links(lua_State *L, int arg) {
  static const char *const words[] = {
      [MODFS_LINKS_KEEP] = "keep", [MODFS_LINKS_FOLLOW] = "follow", [MODFS_LINKS_SKIP] = "skip"};
  int links = MODFS_LINKS_KEEP;
  bool given = push_option(L, arg, "links"), known = !given;
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (int i = MODFS_LINKS_KEEP; given && i <= MODFS_LINKS_SKIP; i++)
    if (strcmp(word, words[i]) == 0) {
      links = i;
      known = true;
    }
  if (!known) arg_error(L, arg, "option 'links': \"keep\", \"follow\" or \"skip\" expected");
  lua_pop(L, 1);
  return links;
}

/* The bit for the word at the top of the stack. */
static uint64_t preserve_bit(lua_State *L, int arg) {
  static const struct {
    const char *word;
    uint64_t bit;
  } words[] = {{"mtime", MODFS_PRESERVE_MTIME},
               {"mode", MODFS_PRESERVE_MODE},
               {"owner", MODFS_PRESERVE_OWNER},
               {"xattrs", MODFS_PRESERVE_XATTRS}};
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if (strncmp(word, words[i].word, length) != 0) continue;
    if (strcmp(word + length, "") == 0) return words[i].bit;
    if (strcmp(word + length, "?") == 0) return MODFS_PRESERVE_TRY(words[i].bit);
  }
  arg_error(L, arg,
            "option 'preserve': array of \"mtime\", \"mode\", \"owner\" and \"xattrs\" "
            "expected, each with a \"?\" behind it or not");
  return 0;
}

static uint64_t read_preserve(lua_State *L, int arg) {
  uint64_t bits = 0;
  if (push_option(L, arg, "preserve")) {
    int table = lua_gettop(L);
    if (!lua_istable(L, -1))
      arg_error(L, arg, "option 'preserve': table expected, got %s", luaL_typename(L, -1));
    bits = MODFS_PRESERVE_GIVEN;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
      bits |= preserve_bit(L, arg);
  }
  lua_pop(L, 1);
  return bits;
}

static modfs_tree_options read_options(lua_State *L, int arg) {
  check_options(L, arg, option_names);
  return (modfs_tree_options){.threads = read_threads(L, arg),
                              .progress = option_boolean(L, arg, "progress", false),
                              .deletes = option_boolean(L, arg, "delete", false),
                              .checksum = option_boolean(L, arg, "checksum", false),
                              .size_only = option_boolean(L, arg, "size_only", false),
                              .links = read_links(L, arg),
                              .preserve = read_preserve(L, arg),
                              .dry_run = option_boolean(L, arg, "dry_run", false),
                              .entries = option_boolean(L, arg, "entries", false)};
}

static modfs_tree *start(int what, const path_pair *ends, const modfs_tree_options *options,
                         TF_Status *status) {
  switch (what) {
  case DU:
    return modfs_tree_measure(ends->from, ends->src, options, status);
  case RMTREE:
    return modfs_tree_delete(ends->from, ends->src, options, status);
  case COPYTREE:
    return modfs_tree_copy(ends->from, ends->src, ends->to, ends->dst, options, status);
  default:
    return modfs_tree_sync(ends->from, ends->src, ends->to, ends->dst, options, status);
  }
}

/* Keeps the function at the top of the stack for the object at an index. */
static void keep_filter(lua_State *L, int object) {
  push_registry_table(L, &filters_key, "k");
  lua_pushvalue(L, object);
  lua_pushvalue(L, -3);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/* For a job: data: the options; mode: what it does. */
static void begin_run(operation *self, TF_Status *status) {
  modfs_tree_options options;
  memcpy(&options, self->data, sizeof options);
  options.choice = self->choice;
  path_pair ends = {self->fs, self->to, self->path, self->dst};
  self->made = start(self->mode, &ends, &options, status);
}

static int begin_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure_as(L, operations[self->mode], status);
  tree_object *tree = operation_push_made(L, self);
  int object = lua_gettop(L);
  push_job_function(L);
  tree->filters = !lua_isnil(L, -1);
  if (tree->filters) keep_filter(L, object);
  lua_settop(L, object);
  return 1;
}

static int start_begin(lua_State *L, int what, const path_pair *ends,
                       const modfs_tree_options *options, int filter) {
  static const operation_kind kind = {begin_run, begin_push, operation_end_made, true};
  return operation_perform_pair(L, ends,
                                &(operation){.kind = &kind,
                                             .mode = what,
                                             .data = (const char *)options,
                                             .length = sizeof *options,
                                             .choice = options->choice,
                                             .function = filter,
                                             .class = &modfs_tree_class});
}

/* Reads src [, dst] [, options] from the argument first on. */
static int begin(lua_State *L, int what, int first) {
  bool has_target = what == COPYTREE || what == SYNC;
  int last = first + (has_target ? 2 : 1);
  lua_settop(L, last);
  modfs_tree_options options = read_options(L, last);
  path_pair ends = {0};
  if (has_target)
    check_path_pair(L, first, &ends);
  else
    ends.to = ends.from = check_path_fs(L, first, &ends.src);
  if (!ends.to) return 3;
  collect_for_descriptors(L);
  TF_Status *status = state_status(L);
  tree_object *self = object_new(L, &modfs_tree_class);
  int object = lua_gettop(L);
  if (!read_choice(L, last, &self->filter, &options.choice)) return 3;
  lua_pushvalue(L, self->filter.function);
  self->filters = !lua_isnil(L, -1);
  if (operation_is_deferred(L)) return start_begin(L, what, &ends, &options, self->filter.function);
  if (self->filters) keep_filter(L, object);
  filter_arm(L, &self->filter, lua_gettop(L));
  self->object.handle = start(what, &ends, &options, status);
  if (self->filter.failed) object_end(&self->object);
  filter_disarm(L, &self->filter);
  lua_pushvalue(L, object);
  return self->object.handle ? 1 : push_failure_as(L, operations[what], status);
}

/* modfs.tree(operation, src [, dst] [, options]) */
static int tree_begin(lua_State *L) {
  const char *name = check_string(L, 1, NULL);
  for (int what = DU; what <= SYNC; what++)
    if (strcmp(name, operations[what]) == 0) return begin(L, what, 2);
  return arg_error(L, 1, "unknown operation");
}

/* The four operations under their own names, which lua/modfs/tree.lua steps to the end. */
static int tree_du(lua_State *L) {
  return begin(L, DU, 1);
}

static int tree_copytree(lua_State *L) {
  return begin(L, COPYTREE, 1);
}

static int tree_sync(lua_State *L) {
  return begin(L, SYNC, 1);
}

/* Without options, the filesystem's own operation. */
static int tree_rmtree(lua_State *L) {
  if (!lua_isnoneornil(L, 2)) return begin(L, RMTREE, 1);
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  return fs ? delete_recursively(L, fs, path) : push_undeleted(L);
}

/* Pushes the filter of the Tree at 1, or nil. */
static void push_filter(lua_State *L) {
  push_registry_table(L, &filters_key, "k");
  lua_pushvalue(L, 1);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

/* Calls the core's step, with the filter within reach of it. A finalizer may close the tree before,
 * the filter during the step. */
static bool advance(lua_State *L, tree_object *self, modfs_tree_event *event, TF_Status *status) {
  if (!self->filters) return modfs_tree_step(self->object.handle, event, status);
  push_filter(L);
  filter_arm(L, &self->filter, lua_gettop(L));
  bool more = self->object.handle && modfs_tree_step(self->object.handle, event, status);
  filter_disarm(L, &self->filter);
  handle_of(L, self);
  return more;
}

/* For a job. */
static void step_run(operation *self, TF_Status *status) {
  modfs_tree_event event;
  if (!modfs_tree_step(self->handle, &event, status)) return;
  self->text = strdup(event.path);
  if (!self->text) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  self->offset = event.done;
  self->n = event.total;
}

static int step_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (!self->text) {
    lua_pushnil(L);
    return 1;
  }
  push_sum(L, self->offset);
  push_sum(L, self->n);
  lua_pushstring(L, self->text);
  return 3;
}

static int start_step(lua_State *L, tree_object *self) {
  static const operation_kind kind = {step_run, step_push, operation_end_text, false};
  push_filter(L);
  return operation_perform_on(
      L, &self->object, &(operation){.kind = &kind, .function = self->filters ? lua_gettop(L) : 0});
}

/* Pushes bytes done, bytes in all, and path; nothing once all is done. */
static int tree_step(lua_State *L) {
  tree_object *self = check_open(L, &modfs_tree_class);
  TF_Status *status = state_status(L);
  modfs_tree_event event;
  if (operation_is_deferred(L)) return start_step(L, self);
  if (advance(L, self, &event, status)) {
    push_sum(L, event.done);
    push_sum(L, event.total);
    push_text(L, event.path);
    return 3;
  }
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushnil(L);
  return 1;
}

/* Open, and not in turn after its jobs, which may be asking the filter that calls this. */
static tree_object *tree_at_once(lua_State *L) {
  tree_object *self = check_self(L, &modfs_tree_class);
  if (!self->object.handle) luaL_error(L, "attempt to use a closed %s", modfs_tree_class.noun);
  return self;
}

static int tree_close(lua_State *L) {
  tree_object *self = tree_at_once(L);
  object_end(&self->object);
  lua_pushnil(L);
  keep_filter(L, 1);
  lua_pushboolean(L, 1);
  return 1;
}

static int tree_cancel(lua_State *L) {
  modfs_tree_cancel(tree_at_once(L)->object.handle);
  lua_pushboolean(L, 1);
  return 1;
}

static void set_count(lua_State *L, const char *name, uint64_t value) {
  push_sum(L, value);
  lua_setfield(L, -2, name);
}

static modfs_tree *tree_here(lua_State *L) {
  const modfs_object *self = check_open(L, &modfs_tree_class);
  return self->handle;
}

/* Fetched again before each string, as a finalizer may close the tree. */
static modfs_tree_error error_here(lua_State *L, size_t index) {
  modfs_tree_error error = {.path = "", .message = ""};
  modfs_tree_error_at(tree_here(L), index, &error);
  return error;
}

static void push_error(lua_State *L, size_t index) {
  const char *code = modfs_code_name(error_here(L, index).code);
  lua_createtable(L, 0, 3);
  push_text(L, error_here(L, index).path);
  lua_setfield(L, -2, "path");
  lua_pushstring(L, code);
  lua_setfield(L, -2, "code");
  push_text(L, error_here(L, index).message);
  lua_pushfstring(L, "%s: %s", code, lua_tostring(L, -1));
  lua_setfield(L, -3, "message");
  lua_pop(L, 1);
}

static void push_errors(lua_State *L) {
  modfs_tree_error error;
  lua_newtable(L);
  for (size_t i = 0; modfs_tree_error_at(tree_here(L), i, &error); i++) {
    push_error(L, i);
    lua_rawseti(L, -2, (int)(i + 1));
  }
}

static int tree_result(lua_State *L) {
  modfs_tree_counts counts = modfs_tree_result(tree_here(L));
  bool cancelled = modfs_tree_was_cancelled(tree_here(L));
  lua_createtable(L, 0, 10);
  set_count(L, "files", counts.files);
  set_count(L, "dirs", counts.dirs);
  set_count(L, "bytes", counts.bytes);
  set_count(L, "kept", counts.kept);
  set_count(L, "deleted", counts.deleted);
  set_count(L, "left_files", counts.left_files);
  set_count(L, "left_dirs", counts.left_dirs);
  set_count(L, "lost_errors", counts.lost_errors);
  lua_pushboolean(L, cancelled);
  lua_setfield(L, -2, "cancelled");
  push_errors(L);
  lua_setfield(L, -2, "errors");
  return 1;
}

void modfs_lua_open_tree_object(lua_State *L) {
  class_new(L, &modfs_tree_class,
            FUNCTIONS({"step", tree_step}, {"cancel", tree_cancel}, {"result", tree_result},
                      {"close", tree_close}),
            FUNCTIONS({"__tostring", object_tostring}));
  set_functions(L, FUNCTIONS({"tree", tree_begin}, {"du", tree_du}, {"sync", tree_sync},
                             {"copytree", tree_copytree}, {"rmtree", tree_rmtree}));
}
