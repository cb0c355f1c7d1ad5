/* Slots of options: their results are checked, freed piece by piece, and returned unchanged. */
#include "runner_fs.h"

#include <string.h>

static void free_value(lua_State *L, const runner_plugin *p, TF_Filesystem_Option_Value *value) {
  for (int i = 0; value->type_tag == TF_Filesystem_Option_Type_Buffer && i < value->num_values; i++)
    if (value->values[i].buffer_val.buf)
      give_back(L, p, value->values[i].buffer_val.buf, "a buffer of an option");
  if (value->values) give_back(L, p, value->values, "the values of an option");
  give_back(L, p, value, "the value of an option");
}

static void free_parts(lua_State *L, const runner_plugin *p, TF_Filesystem_Option *option) {
  if (option->value) free_value(L, p, option->value);
  if (option->description) give_back(L, p, option->description, "the description of an option");
  give_back(L, p, option->name, "the name of an option");
}

static const char *odd(const TF_Filesystem_Option *option) {
  if (!option->name) return "has no name";
  if (!option->value) return "has no value";
  if (option->value->type_tag < 0 || option->value->type_tag >= TF_Filesystem_Num_Option_Types)
    return "has a type that there is not";
  if (option->value->num_values < 1 || !option->value->values) return "has no values";
  return NULL;
}

static void look_at(lua_State *L, const TF_Filesystem_Option *option, int index) {
  const char *wrong = odd(option);
  if (wrong) {
    answer_fault(L, "option %d %s", index, wrong);
    return;
  }
  lua_getfield(L, -1, "names");
  lua_pushstring(L, option->name);
  lua_rawseti(L, -2, index);
  lua_pop(L, 1);
}

static int configuration(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  TF_Filesystem_Option *options = poison();
  int count = POISON_NUMBER;
  if (!p->ops.get_filesystem_configuration) return 0;
  TF_Status *status = call_begin();
  p->ops.get_filesystem_configuration(&p->fs, &options, &count, status);
  bool fine = TF_GetCode(status) == TF_OK;
  answer_value(L, status, count);
  answer_pointer(L, "options", options);
  lua_newtable(L);
  lua_setfield(L, -2, "names");
  if (!fine || count <= 0 || !options || options == poison()) return 1;
  for (int i = 0; i < count; i++)
    look_at(L, &options[i], i + 1);
  for (int i = 0; i < count; i++)
    free_parts(L, p, &options[i]);
  give_back(L, p, options, "the array of options");
  return 1;
}

static int option(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *key = luaL_checkstring(L, 2);
  TF_Filesystem_Option *found = poison();
  if (!p->ops.get_filesystem_configuration_option) return 0;
  TF_Status *status = call_begin();
  p->ops.get_filesystem_configuration_option(&p->fs, key, &found, status);
  bool fine = TF_GetCode(status) == TF_OK;
  call_end(L, status);
  answer_pointer(L, "option", found);
  if (!fine) return 1;
  if (!found || found == poison()) {
    answer_fault(L, "OK, but the option was not set");
    return 1;
  }
  lua_newtable(L);
  lua_setfield(L, -2, "names");
  look_at(L, found, 1);
  free_parts(L, p, found);
  give_back(L, p, found, "the option");
  return 1;
}

/* set_option(plugin, name, tag, number): one value of that type, 0 or empty without the number. */
static int set_option(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  TF_Filesystem_Option_Value_Union zero;
  memset(&zero, 0, sizeof zero);
  zero.int_val = luaL_optinteger(L, 4, 0);
  TF_Filesystem_Option_Value value = {(int)luaL_checkinteger(L, 3), 1, &zero};
  TF_Filesystem_Option one = {(char *)(uintptr_t)luaL_checkstring(L, 2), NULL, 0, &value};
  if (!p->ops.set_filesystem_configuration_option) return 0;
  TF_Status *status = call_begin();
  p->ops.set_filesystem_configuration_option(&p->fs, &one, status);
  return call_end(L, status);
}

/* set_no_options(plugin): a set of none, which needs no array. */
static int set_no_options(lua_State *L) {
  const runner_plugin *p = check_plugin(L);
  if (!p->ops.set_filesystem_configuration) return 0;
  TF_Status *status = call_begin();
  p->ops.set_filesystem_configuration(&p->fs, NULL, 0, status);
  return call_end(L, status);
}

const luaL_Reg runner_option_methods[] = {{"get_filesystem_configuration", configuration},
                                          {"get_filesystem_configuration_option", option},
                                          {"set_filesystem_configuration_option", set_option},
                                          {"set_no_options", set_no_options},
                                          {NULL, NULL}};
