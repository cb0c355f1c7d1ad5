/* Declarations shared by the files of the conformance runner's binding. */
#ifndef MODFS_LUA_RUNNER_H
#define MODFS_LUA_RUNNER_H

#include <modfs/stream_executor.h>

#include "lua/compat.h"
#include "check/runner/call.h"

/* Host memory that a device copies to and from. */
typedef struct runner_host {
  char *address;
  size_t size;
  int number;
} runner_host;

extern const char runner_host_class[], runner_call_class[], runner_gate_class[];

/* Pushes a zeroed block that is never collected: the plugin may keep its address. */
void *runner_new(lua_State *L, size_t size, const char *class);
/* The same, collected as other values are. */
void *runner_lend(lua_State *L, size_t size, const char *class);
/* Registers a class: its metatable holds the methods and is its own __index. */
void runner_class(lua_State *L, const char *class, const luaL_Reg *methods);
/* Adds functions to the table at the top of the stack. */
void runner_register(lua_State *L, const luaL_Reg *functions);
/* Counts the objects of a class, for their names. */
int runner_number(lua_State *L, const char *class);

/* Each sets a field of the table at the top of the stack. */
void answer_integer(lua_State *L, const char *key, int64_t value);
void answer_string(lua_State *L, const char *key, const char *value);

/* The status for a call, OK. */
TF_Status *runner_status(lua_State *L);
/* true, or the failure as a triple. */
int runner_answer(lua_State *L, const TF_Status *status);
int runner_failure(lua_State *L, TF_Code code, const char *message);

/* The address of n bytes of host memory at an offset; raises when they are out of range. */
char *runner_bytes(lua_State *L, int arg, int64_t offset, int64_t n);
int64_t runner_integer(lua_State *L, int arg);
/* The number in a field of the table that is the first argument; 0: there is none. */
double runner_field(lua_State *L, const char *key);

/* Each adds its functions to the table at the top of the stack. */
void runner_open_device(lua_State *L);
void runner_open_host(lua_State *L);
void runner_open_fs(lua_State *L);

#endif
