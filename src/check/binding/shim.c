/* The shim's table for Lua; all functions return nothing when the shim is not preloaded. */
#include "check/shim/shim.h"

#include "runner_fs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
  const char *name;
  unsigned bit;
} kinds[] = {{"open", SHIM_OPEN}, {"read", SHIM_READ},           {"write", SHIM_WRITE},
             {"sync", SHIM_SYNC}, {"stat", SHIM_STAT},           {"close", SHIM_CLOSE},
             {"name", SHIM_NAME}, {"copy", SHIM_COPY},           {"map", SHIM_MAP},
             {"list", SHIM_LIST}, {"attribute", SHIM_ATTRIBUTE}, {"control", SHIM_CONTROL},
             {"all", SHIM_ALL}};

static const struct {
  const char *name;
  int number;
} errors[] = {{"EIO", EIO},       {"ENOSPC", ENOSPC}, {"EAGAIN", EAGAIN},
              {"EINTR", EINTR},   {"EMFILE", EMFILE}, {"EDQUOT", EDQUOT},
              {"EPERM", EPERM},   {"EACCES", EACCES}, {"EINVAL", EINVAL},
              {"ENOSYS", ENOSYS}, {"EXDEV", EXDEV},   {"EOPNOTSUPP", EOPNOTSUPP},
              {"ENFILE", ENFILE}};

static unsigned check_kinds(lua_State *L, int arg) {
  const char *words = luaL_checkstring(L, arg);
  unsigned bits = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strstr(words, kinds[i].name) != NULL) bits |= kinds[i].bit;
  return bits;
}

static int number_of(lua_State *L, const char *name) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(name, errors[i].name) == 0) return errors[i].number;
  return luaL_error(L, "no such error: %s", name);
}

static int present(lua_State *L) {
  lua_pushboolean(L, &modfs_shim != NULL);
  return 1;
}

static int blocks(lua_State *L) {
  if (!&modfs_shim) return 0;
  lua_pushinteger(L, (lua_Integer)modfs_shim.blocks());
  return 1;
}

static int fault(lua_State *L) {
  char text[256];
  if (!&modfs_shim || !modfs_shim.fault(true, text, sizeof text)) return 0;
  lua_pushstring(L, text);
  return 1;
}

static int fail_allocation(lua_State *L) {
  if (&modfs_shim) modfs_shim.fail_allocation((size_t)luaL_checkinteger(L, 1));
  return 0;
}

static int allocation_failed(lua_State *L) {
  lua_pushboolean(L, &modfs_shim && modfs_shim.allocation_failed());
  return 1;
}

/* What the rule does: an error's name, "SIGKILL", or the most bytes that are moved. */
static void set_effect(lua_State *L, int arg, shim_rule *rule, char *effect, size_t size) {
  if (lua_type(L, arg) == LUA_TNUMBER) {
    rule->at_most = (size_t)lua_tointeger(L, arg);
    snprintf(effect, size, "moves at most %zu byte%s", rule->at_most,
             rule->at_most == 1 ? "" : "s");
    return;
  }
  const char *name = luaL_checkstring(L, arg);
  rule->kills = strcmp(name, "SIGKILL") == 0;
  if (!rule->kills) rule->error = number_of(L, name);
  snprintf(effect, size, rule->kills ? "ends with %s" : "fails with %s", name);
}

/* The rule of the arguments; the shim keeps its words until it is armed again. */
static shim_rule take_rule(lua_State *L, char words[128], char effect[64]) {
  shim_rule rule = {.kinds = check_kinds(L, 1),
                    .words = words,
                    .effect = effect,
                    .first = (size_t)luaL_optinteger(L, 3, 1),
                    .count = (size_t)luaL_optinteger(L, 4, 1),
                    .second = (size_t)luaL_optinteger(L, 5, 0)};
  if (rule.second != 0) rule.then = number_of(L, luaL_checkstring(L, 6));
  snprintf(words, 128, "%s", lua_tostring(L, 1));
  set_effect(L, 2, &rule, effect, 64);
  return rule;
}

/* arm(kinds, effect, first, count [, second, error]); arm() ends it. */
static int arm(lua_State *L) {
  static char words[128], effect[64];
  if (!&modfs_shim) return 0;
  if (lua_isnoneornil(L, 1)) {
    modfs_shim.arm(NULL);
    return 0;
  }
  shim_rule rule = take_rule(L, words, effect);
  modfs_shim.arm(&rule);
  return 0;
}

/* arm_also(…): a second rule, after arm. */
static int arm_also(lua_State *L) {
  static char words[128], effect[64];
  if (!&modfs_shim) return 0;
  shim_rule rule = take_rule(L, words, effect);
  modfs_shim.arm_also(&rule);
  return 0;
}

/* counts(kinds) -> calls of these kinds, calls that met the rule, loose opens, synchronous ones, the
 * function that failed last. */
static int counts(lua_State *L) {
  if (!&modfs_shim) return 0;
  lua_pushinteger(L, (lua_Integer)modfs_shim.calls(check_kinds(L, 1)));
  lua_pushinteger(L, (lua_Integer)modfs_shim.fired());
  lua_pushinteger(L, (lua_Integer)modfs_shim.loose());
  lua_pushinteger(L, (lua_Integer)modfs_shim.synchronous());
  lua_pushstring(L, modfs_shim.failed());
  return 5;
}

static const char *kind_of(unsigned mode) {
  if (S_ISREG(mode)) return "file";
  return S_ISDIR(mode) ? "directory" : "other";
}

/* note(true) begins to note calls; note() ends that -> an array of { name, inode, kind, mode }. */
static int note(lua_State *L) {
  shim_event event;
  if (!&modfs_shim) return 0;
  bool begins = lua_toboolean(L, 1);
  modfs_shim.note(begins);
  if (begins) return 0;
  lua_newtable(L);
  for (size_t i = 0; modfs_shim.noted(i, &event); i++) {
    lua_createtable(L, 0, 4);
    answer_string(L, "name", event.name);
    answer_integer(L, "inode", (int64_t)event.inode);
    answer_string(L, "kind", kind_of(event.mode));
    answer_integer(L, "mode", event.mode & 07777u);
    lua_rawseti(L, -2, (int)i + 1);
  }
  return 1;
}

/* The function of between; it has one place in the registry, where its error takes its place. */
static struct {
  lua_State *L;
  int place;
  bool called, failed;
} change = {.place = LUA_NOREF};

static void make_change(void *unused) {
  int error = errno;
  (void)unused;
  change.called = true;
  if (lua_checkstack(change.L, LUA_MINSTACK)) {
    lua_rawgeti(change.L, LUA_REGISTRYINDEX, change.place);
    change.failed = lua_pcall(change.L, 0, 0, 0) != 0;
    if (change.failed) lua_rawseti(change.L, LUA_REGISTRYINDEX, change.place);
  }
  errno = error;
}

/* between(k, f): f is called at the k-th point of the calls that follow (stops.c), on this thread. f must
 * not call the plugin, which may have a lock there. between() ends that -> whether f was called; it raises
 * what f has raised. */
static int between(lua_State *L) {
  if (!&modfs_shim) return 0;
  if (!lua_isnoneornil(L, 1)) {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    change.place = luaL_ref(L, LUA_REGISTRYINDEX);
    change.L = L;
    change.called = change.failed = false;
    modfs_shim.stop((size_t)luaL_checkinteger(L, 1), make_change, NULL);
    return 0;
  }
  modfs_shim.stop(0, NULL, NULL);
  lua_rawgeti(L, LUA_REGISTRYINDEX, change.place);
  luaL_unref(L, LUA_REGISTRYINDEX, change.place);
  change.place = LUA_NOREF;
  if (change.failed) return lua_error(L);
  lua_pushboolean(L, change.called);
  return 1;
}

/* injected_to(path): the records of this process, for what is made to fail. */
static int injected_to(lua_State *L) {
  if (&modfs_shim) modfs_shim.injected_to(luaL_checkstring(L, 1));
  return 0;
}

const luaL_Reg runner_shim_functions[] = {{"has_shim", present},
                                          {"injected_to", injected_to},
                                          {"blocks", blocks},
                                          {"fault", fault},
                                          {"fail_allocation", fail_allocation},
                                          {"allocation_failed", allocation_failed},
                                          {"arm", arm},
                                          {"arm_also", arm_also},
                                          {"counts", counts},
                                          {"note", note},
                                          {"between", between},
                                          {NULL, NULL}};
