/* Options from Lua values; option_read.c. All memory belongs to the guard of options_build. */
#ifndef MODFS_LUA_OPTIONS_H
#define MODFS_LUA_OPTIONS_H

#include "binding.h"

/* "int", "real" or "buffer". */
const char *option_type_name(int type);

/* Pushes a guard with count empty options, to be filled in. */
modfs_options *options_build(lua_State *L, size_t count);
/* Fills one from the table at the top of the stack; raises as an error of argument arg. */
void option_read(lua_State *L, int arg, TF_Filesystem_Option *built);
/* Fills its value from the scalar or array at the top of the stack. */
void option_read_value(lua_State *L, int arg, const char *field, int type,
                       TF_Filesystem_Option *built);
/* The type of the scalar or array at the top of the stack. */
int option_type_of(lua_State *L);
void option_copy_name(lua_State *L, const char *name, TF_Filesystem_Option *built);

#endif
