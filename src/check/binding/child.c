/* Children of the conformance runner for Lua: launch, await, ended, times, kill_group. */
#include "runner_fs.h"

#include "check/runner/child.h"

#include <string.h>
#include <unistd.h>

/* A word of the plan at the top of the stack; the plan keeps it. NULL: it has none of that name. */
static const char *word_of(lua_State *L, const char *key) {
  lua_getfield(L, 1, key);
  const char *word = lua_tostring(L, -1);
  lua_pop(L, 1);
  return word;
}

static uint64_t limit_of(lua_State *L, const char *key) {
  double number = runner_field(L, key);
  return number > 0 ? (uint64_t)number : 0;
}

static size_t count_of(lua_State *L, const char *key) {
  lua_getfield(L, 1, key);
  luaL_checktype(L, -1, LUA_TTABLE);
  size_t count = lua_rawlen(L, -1);
  lua_pop(L, 1);
  return count;
}

/* Copies the addresses of the strings in an array of the plan; returns the place behind them. */
static char **copy_words(lua_State *L, const char *key, char **to) {
  size_t count = count_of(L, key);
  lua_getfield(L, 1, key);
  for (size_t i = 1; i <= count; i++) {
    lua_rawgeti(L, -1, (int)i);
    luaL_checktype(L, -1,
                   LUA_TSTRING); /* of another type it would be converted on the stack alone */
    *to++ = (char *)(uintptr_t)lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return to;
}

/* Whether one of the NAME=value entries sets the variable that `entry` sets. */
static bool is_set(char *const *entries, const char *entry) {
  size_t length = strcspn(entry, "=") + 1;
  for (; *entries; entries++)
    if (strncmp(*entries, entry, length) == 0) return true;
  return false;
}

/* The plan's own variables, then those of this process that it does not set. */
static char **make_environment(lua_State *L) {
  size_t own = count_of(L, "environment");
  size_t given = 0;
  while (environ && environ[given])
    given++;
  char **list = compat_newuserdata(L, (own + given + 1) * sizeof *list);
  char **end = copy_words(L, "environment", list);
  *end = NULL;
  for (size_t i = 0; environ && environ[i]; i++)
    if (!is_set(list, environ[i])) {
      *end++ = environ[i];
      *end = NULL;
    }
  return list;
}

/* launch{ words =, environment =, folder =, output =, errors =, and limits } -> process id, or nil.
 * The limits: cpu_seconds, memory, file_size, descriptors. */
static int launch(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  char **words = compat_newuserdata(L, (count_of(L, "words") + 1) * sizeof *words);
  *copy_words(L, "words", words) = NULL;
  const runner_child_plan plan = {.words = words,
                                  .environment = make_environment(L),
                                  .folder = word_of(L, "folder"),
                                  .output = word_of(L, "output"),
                                  .errors = word_of(L, "errors"),
                                  .cpu_seconds = limit_of(L, "cpu_seconds"),
                                  .memory = limit_of(L, "memory"),
                                  .file_size = limit_of(L, "file_size"),
                                  .descriptors = limit_of(L, "descriptors")};
  luaL_argcheck(L, words[0] && plan.folder && plan.output && plan.errors, 1, "the plan has gaps");
  long child = runner_child_start(&plan);
  if (child < 0) return 0;
  lua_pushinteger(L, child);
  return 1;
}

/* ended(child) -> its exit status, or 256 and the signal; nil while it runs. */
static int ended(lua_State *L) {
  int status;
  if (!runner_child_ended((long)luaL_checkinteger(L, 1), &status)) return 0;
  lua_pushinteger(L, status);
  return 1;
}

/* await(children, seconds): waits until one has ended, or for that long. */
static int await(lua_State *L) {
  long children[RUNNER_CHILDREN];
  luaL_checktype(L, 1, LUA_TTABLE);
  size_t count = lua_rawlen(L, 1);
  for (size_t i = 0; i < count && i < RUNNER_CHILDREN; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    children[i] = (long)luaL_checkinteger(L, -1);
    lua_pop(L, 1);
  }
  runner_child_await(children, count, luaL_checknumber(L, 2));
  return 0;
}

/* times(child) -> seconds of CPU time, seconds of waiting for a processor; nil when it has ended. */
static int times(lua_State *L) {
  double running, waiting;
  if (!runner_child_times((long)luaL_checkinteger(L, 1), &running, &waiting)) return 0;
  lua_pushnumber(L, running);
  lua_pushnumber(L, waiting);
  return 2;
}

static int kill_group(lua_State *L) {
  runner_child_kill((long)luaL_checkinteger(L, 1));
  return 0;
}

static int processors(lua_State *L) {
  lua_pushinteger(L, runner_processors());
  return 1;
}

const luaL_Reg runner_child_functions[] = {
    {"launch", launch},         {"ended", ended},           {"times", times}, {"await", await},
    {"kill_group", kill_group}, {"processors", processors}, {NULL, NULL}};
