/* From a table of options to a choice, and from the core to the script's filter.
 *
 * In a job the filter is asked (question.h). In a plain call it is called in protected mode, while the core's function is on the C stack, but none of
 * a plugin. Meanwhile the state block has another status, as the caller's belongs to that function.
 * An error stays on the stack, ends the operation, and is raised once the core has returned. The
 * filter may close the object that it works for: the core's function then frees it at its end. */
#include "choice.h"

#include <stdlib.h>
#include <string.h>

#include "question.h"

/* The filter ----------------------------------------------------------------- */

static void push_candidate(lua_State *L, const modfs_candidate *entry) {
  lua_createtable(L, 0, 5);
  set_text(L, "path", entry->path);
  set_text(L, "name", entry->name);
  set_text(L, "kind", kind_name(entry->kind));
  if (entry->length >= 0) {
    push_sum(L, (uint64_t)entry->length);
    lua_setfield(L, -2, "length");
    compat_pushinteger(L, entry->mtime_nsec);
    lua_setfield(L, -2, "mtime_nsec");
  }
}

/* The part that may raise: calls the second argument for the first. */
static int call_script(lua_State *L) {
  push_candidate(L, lua_touserdata(L, 1));
  lua_call(L, 1, 1);
  return 1;
}

static bool call_filter(script_filter *filter, const modfs_candidate *entry, TF_Status *status) {
  lua_State *L = filter->L;
  TF_Status *outer = filter->state->status, *inner = TF_NewStatus();
  if (!inner) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  filter->state->status = inner;
  lua_pushvalue(L, filter->call);
  lua_pushlightuserdata(L, (void *)(uintptr_t)entry);
  lua_pushvalue(L, filter->function);
  filter->failed = lua_pcall(L, 2, 1, 0) != 0;
  filter->state->status = outer;
  TF_DeleteStatus(inner);
  if (filter->failed) {
    TF_SetStatus(status, TF_CANCELLED, "the filter raised an error");
    return false;
  }
  bool taken = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return taken;
}

typedef struct filter_question {
  question question;
  modfs_candidate entry;
  char path[]; /* of the entry */
} filter_question;

static int push_question(lua_State *L, const question *asked) {
  const filter_question *self = (const filter_question *)asked; /* the first member */
  push_candidate(L, &self->entry);
  return 1;
}

static bool ask_filter(const modfs_candidate *entry, TF_Status *status) {
  size_t size = strlen(entry->path) + 1;
  filter_question *self = malloc(sizeof *self + size);
  if (!self) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return false;
  }
  memcpy(self->path, entry->path, size);
  self->question.push = push_question;
  self->entry = *entry;
  self->entry.path = self->path;
  self->entry.name = self->path + (entry->name - entry->path);
  return question_ask(&self->question, status) == ANSWER_TRUE;
}

/* context: the state block, as the object that the filter belongs to may come from a job. */
static bool filter_passes(void *context, const modfs_candidate *entry, TF_Status *status) {
  const modfs_state *state = context;
  return question_is_needed() ? ask_filter(entry, status)
                              : call_filter(state->filter, entry, status);
}

void filter_arm(lua_State *L, script_filter *filter, int function) {
  if (filter->L) luaL_error(L, MODFS_OWN_OPERATION);
  modfs_state *state = state_here(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  lua_pushcfunction(L, call_script);
  int call = lua_gettop(L);
  *filter = (script_filter){
      .L = L, .state = state, .function = function, .call = call, .outer = state->filter};
  state->filter = filter;
}

void filter_disarm(lua_State *L, script_filter *filter) {
  filter->L = NULL;
  filter->state->filter = filter->outer;
  if (filter->failed) lua_error(L);
}

/* Options -------------------------------------------------------------------- */

static const char *const names[] = {CHOICE_OPTIONS, NULL};

static void push_value(lua_State *L, int arg, const char *key) {
  lua_pushstring(L, key);
  lua_rawget(L, arg);
}

static bool is_given(lua_State *L, int arg) {
  bool given = false;
  if (!lua_istable(L, arg)) return false;
  for (int i = 0; names[i] && !given; i++) {
    push_value(L, arg, names[i]);
    given = !lua_isnil(L, -1);
    lua_pop(L, 1);
  }
  return given;
}

/* One option that is an integer; value stays as it is when the option is not given. */
static void read_integer(lua_State *L, int arg, const char *key, int64_t *value) {
  push_value(L, arg, key);
  if (!lua_isnil(L, -1) && (lua_type(L, -1) != LUA_TNUMBER || !compat_tonanoseconds(L, -1, value)))
    arg_error(L, arg, "option '%s': integer expected, got %s", key, luaL_typename(L, -1));
  lua_pop(L, 1);
}

/* False, after pushing the failure, for a negative one. */
static bool read_size(lua_State *L, int arg, const char *key, int64_t *value) {
  read_integer(L, arg, key, value);
  if (*value >= 0) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s %s: option '%s' is negative", function_name(L),
                    lua_tostring(L, 1), key);
  return false;
}

static bool read_limits(lua_State *L, int arg, modfs_choice_limits *limits) {
  int64_t depth = INT64_MAX;
  read_integer(L, arg, "newer_than", &limits->newer_than);
  bool fine = read_size(L, arg, "max_depth", &depth) &&
              read_size(L, arg, "min_size", &limits->min_size) &&
              read_size(L, arg, "max_size", &limits->max_size);
  limits->max_depth = (uint64_t)depth;
  return fine;
}

typedef void add_call(modfs_choice *choice, const char *text, size_t length, TF_Status *status);

/* Adds the text at the top of the stack, and pops it. False after pushing the failure. */
static bool add_text(lua_State *L, add_call *add, modfs_choice *choice) {
  size_t length;
  TF_Status *status = state_status(L);
  const char *text = lua_tolstring(L, -1, &length);
  add(choice, text, length, status);
  if (TF_GetCode(status) == TF_OK) {
    lua_pop(L, 1);
    return true;
  }
  push_failure(L, status);
  return false;
}

/* Checks the pattern at the top of the stack. */
static void check_pattern(lua_State *L, int arg, const char *key, const char *expected) {
  if (lua_type(L, -1) != LUA_TSTRING)
    arg_error(L, arg, "option '%s': %s expected, got %s", key, expected, luaL_typename(L, -1));
  if (strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1))
    arg_error(L, arg, "option '%s': embedded NUL", key);
}

static bool read_patterns(lua_State *L, int arg, const char *key, add_call *add,
                          modfs_choice *choice) {
  push_value(L, arg, key);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return true;
  }
  if (!lua_istable(L, -1)) {
    check_pattern(L, arg, key, "string or table");
    return add_text(L, add, choice);
  }
  int list = lua_gettop(L);
  for (int i = 1; lua_rawgeti(L, list, i), !lua_isnil(L, -1); i++) {
    check_pattern(L, arg, key, "list of strings");
    if (!add_text(L, add, choice)) return false;
  }
  lua_settop(L, list - 1);
  return true;
}

/* Adds the patterns of a file. */
static bool read_file(lua_State *L, int arg, modfs_choice *choice) {
  const char *path = option_string(L, arg, "exclude_from", NULL);
  if (!path) return true;
  const modfs_fs *fs = find_fs(L, path);
  if (!fs || read_path(L, fs, path) != 1) return false;
  return add_text(L, modfs_choice_exclude, choice);
}

static void choice_end(void *block) {
  modfs_choice_free(*(modfs_choice **)block);
}

bool read_choice(lua_State *L, int arg, script_filter *filter, modfs_choice **choice) {
  modfs_choice_limits limits = MODFS_NO_LIMITS;
  *choice = NULL;
  bool filters = push_option_function(L, arg, "filter");
  if (!filters) lua_pushnil(L);
  filter->function = lua_gettop(L);
  if (!filters && !is_given(L, arg)) return true;
  if (!read_limits(L, arg, &limits)) return false;
  if (filters) limits.filter = filter_passes;
  limits.context = state_here(L);
  TF_Status *status = state_status(L);
  modfs_choice **held = guard_new(L, sizeof *held, choice_end);
  *held = modfs_choice_new(&limits, status);
  if (!*held) {
    push_failure(L, status);
    return false;
  }
  *choice = *held;
  return read_file(L, arg, *held) &&
         read_patterns(L, arg, "exclude", modfs_choice_exclude, *held) &&
         read_patterns(L, arg, "include", modfs_choice_include, *held);
}
