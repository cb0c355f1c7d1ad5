/* Slots that return arrays of strings. */
#include "runner_fs.h"

typedef int (*list_slot)(const TF_Filesystem *filesystem, const char *path, char ***entries,
                         TF_Status *status);

static void push_entry(lua_State *L, const runner_plugin *p, char *entry, int index) {
  const char *foreign = entry ? runner_plugin_foreign(p, entry) : "is NULL";
  if (foreign) {
    answer_fault(L, "entry %d %s", index, foreign);
    return;
  }
  lua_getfield(L, -1, "names");
  lua_pushstring(L, entry);
  lua_rawseti(L, -2, index);
  lua_pop(L, 1);
  give_back(L, p, entry, "an entry");
}

static void push_entries(lua_State *L, const runner_plugin *p, char **entries, int count) {
  lua_newtable(L);
  lua_setfield(L, -2, "names");
  if (entries == poison()) {
    if (count > 0) answer_fault(L, "%d entries, but the array was not set", count);
    return;
  }
  const char *foreign = entries ? runner_plugin_foreign(p, (void *)entries) : NULL;
  if (foreign || (!entries && count > 0)) {
    answer_fault(L, "the array %s", foreign ? foreign : "is NULL");
    return;
  }
  for (int i = 0; i < count; i++)
    push_entry(L, p, entries[i], i + 1);
  if (entries) give_back(L, p, (void *)entries, "the array");
}

static int list(lua_State *L, list_slot slot) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  char **entries = poison();
  if (!slot) return 0;
  TF_Status *status = call_begin();
  int count = slot(&p->fs, path, &entries, status);
  bool given = TF_GetCode(status) == TF_OK || count >= 0; /* hosts free it after a failure, too */
  answer_value(L, status, count);
  answer_pointer(L, "entries", (void *)entries);
  if (given) push_entries(L, p, entries, count);
  return 1;
}

static int get_children(lua_State *L) {
  return list(L, check_plugin(L)->ops.get_children);
}

static int get_matching_paths(lua_State *L) {
  return list(L, check_plugin(L)->ops.get_matching_paths);
}

const luaL_Reg runner_listing_methods[] = {
    {"get_children", get_children}, {"get_matching_paths", get_matching_paths}, {NULL, NULL}};
