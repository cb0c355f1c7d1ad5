/* The options that choose entries of a tree, and the script's filter. */
#ifndef MODFS_LUA_CHOICE_H
#define MODFS_LUA_CHOICE_H

#include "binding.h"

/* Their names, for lists of options. */
#define CHOICE_OPTIONS                                                                             \
  "exclude", "exclude_from", "filter", "include", "max_depth", "max_size", "min_size", "newer_than"

/* A script's filter: in the block of the object whose operation calls it, or in one that outlives
 * the call. Core functions that may call it stand between filter_arm and filter_disarm. */
typedef struct script_filter {
  lua_State *L; /* NULL: it cannot be called now */
  modfs_state *state;
  struct script_filter *outer; /* that calls the one that has come to this operation */
  int function, call;          /* stack indices */
  bool failed;                 /* its error is at the top of the stack */
} script_filter;

/* Makes the choice of the options at arg, which have been checked for unknown ones; NULL when none
 * of them chooses. What it pushes owns it; the filter's function, or nil, is pushed first, at
 * filter->function. False after pushing a failure; raises for values of wrong types. */
bool read_choice(lua_State *L, int arg, script_filter *filter, modfs_choice **choice);

/* Makes the function, or nil, at a stack index the filter, until filter_disarm, which raises its
 * error. Raises when the filter is running: an operation cannot be stepped from it. They enclose calls
 * of the core only, so that filters nest as they do. */
void filter_arm(lua_State *L, script_filter *filter, int function);
void filter_disarm(lua_State *L, script_filter *filter);

#endif
