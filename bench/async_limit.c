/* What waiting for another thread costs in plain C: round trips between two threads. */
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdbool.h>

typedef struct exchange {
  pthread_mutex_t lock;
  pthread_cond_t asked, answered;
  lua_Integer left;
  bool pending;
} exchange;

static void *answer(void *argument) {
  exchange *self = argument;
  pthread_mutex_lock(&self->lock);
  while (self->left > 0) {
    while (!self->pending)
      pthread_cond_wait(&self->asked, &self->lock);
    self->pending = false;
    self->left--;
    pthread_cond_signal(&self->answered);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

/* round_trips(n): wakes a sleeping thread by a condition variable, and sleeps until it has answered. */
static int limit_round_trips(lua_State *L) {
  exchange self = {.lock = PTHREAD_MUTEX_INITIALIZER,
                   .asked = PTHREAD_COND_INITIALIZER,
                   .answered = PTHREAD_COND_INITIALIZER,
                   .left = luaL_checkinteger(L, 1)};
  pthread_t peer;
  lua_Integer n = self.left;
  if (pthread_create(&peer, NULL, answer, &self) != 0) return luaL_error(L, "no thread");
  pthread_mutex_lock(&self.lock);
  for (lua_Integer i = 0; i < n; i++) {
    self.pending = true;
    pthread_cond_signal(&self.asked);
    while (self.pending)
      pthread_cond_wait(&self.answered, &self.lock);
  }
  pthread_mutex_unlock(&self.lock);
  pthread_join(peer, NULL);
  return 0;
}

__attribute__((visibility("default"))) int luaopen_async_limit(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, limit_round_trips);
  lua_setfield(L, -2, "round_trips");
  return 1;
}
