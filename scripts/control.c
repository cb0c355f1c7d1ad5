/* Faults on purpose: each checker must report them before its silence about the suite counts. */
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static volatile int shared_number;

__attribute__((noinline)) static void lose_a_block(void) {
  char *volatile block = malloc(64);
  if (block) block[0] = 1;
}

static int control_leak(lua_State *L) {
  (void)L;
  for (int i = 0; i < 100; i++)
    lose_a_block();
  return 0;
}

static int control_overflow(lua_State *L) {
  volatile size_t length = (size_t)luaL_checkinteger(L, 1);
  volatile char *block = malloc(length);
  if (block) block[length] = 1;
  free((void *)block);
  return 0;
}

static void *count_up(void *argument) {
  for (int i = 0; i < 1000; i++)
    shared_number = shared_number + 1;
  return argument;
}

static int control_race(lua_State *L) {
  (void)L;
  pthread_t thread;
  if (pthread_create(&thread, NULL, count_up, NULL)) return 0;
  count_up(NULL);
  pthread_join(thread, NULL);
  return 0;
}

/* A box: a text that close frees. */

static char **box_here(lua_State *L) {
  char **box = lua_touserdata(L, 1);
  if (!box) luaL_error(L, "no box");
  return box;
}

static int box_close(lua_State *L) {
  char **box = box_here(L);
  free(*box);
  *box = NULL;
  return 0;
}

/* Something that Lua looks for finalizers at. */
static void allocate(lua_State *L) {
  lua_newuserdata(L, 8);
  lua_pop(L, 1);
}

static char *box_text(lua_State *L) {
  char *text = *box_here(L);
  if (!text) luaL_error(L, "attempt to use a closed box");
  return text;
}

/* The text is held over the third allocation. */
static int box_stale(lua_State *L) {
  char copy[64];
  allocate(L);
  allocate(L);
  const char *text = box_text(L);
  allocate(L);
  memcpy(copy, text, sizeof copy);
  lua_pushlstring(L, copy, sizeof copy);
  return 1;
}

static int box_sound(lua_State *L) {
  char copy[64];
  for (int i = 0; i < 3; i++)
    allocate(L);
  memcpy(copy, box_text(L), sizeof copy);
  lua_pushlstring(L, copy, sizeof copy);
  return 1;
}

/* After how many of five allocations it was still open. */
static int box_trace(lua_State *L) {
  int open = 0;
  for (int i = 0; i < 5; i++) {
    allocate(L);
    open += *box_here(L) != NULL;
  }
  lua_pushinteger(L, open);
  return 1;
}

static void set_functions(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) { /* luaL_newlib came with 5.2 */
    lua_pushcfunction(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

static int control_box(lua_State *L) {
  static const luaL_Reg methods[] = {{"close", box_close}, {"__gc", box_close},
                                     {"stale", box_stale}, {"sound", box_sound},
                                     {"trace", box_trace}, {NULL, NULL}};
  char **box = lua_newuserdata(L, sizeof *box);
  *box = NULL;
  lua_newtable(L);
  set_functions(L, methods);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  *box = malloc(64);
  if (!*box) return luaL_error(L, "not enough memory");
  memset(*box, 'b', 64);
  return 1;
}

__attribute__((visibility("default"))) int luaopen_control(lua_State *L);
int luaopen_control(lua_State *L) {
  static const luaL_Reg functions[] = {{"leak", control_leak},
                                       {"overflow", control_overflow},
                                       {"race", control_race},
                                       {"box", control_box},
                                       {NULL, NULL}};
  lua_newtable(L);
  set_functions(L, functions);
  return 1;
}
