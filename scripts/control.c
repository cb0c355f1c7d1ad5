/* Faults on purpose: each checker must report them before its silence about the suite counts. */
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdlib.h>

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

__attribute__((visibility("default"))) int luaopen_control(lua_State *L);
int luaopen_control(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"leak", control_leak}, {"overflow", control_overflow}, {"race", control_race}};
  lua_newtable(L); /* luaL_newlib came with 5.2 */
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    lua_pushcfunction(L, functions[i].func);
    lua_setfield(L, -2, functions[i].name);
  }
  return 1;
}
