/* What another thread costs in plain C: round trips between two threads, and files that one of them reads
 * for the other, with no more than a mutex and two condition variables. */
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Reading ----------------------------------------------------------------------------- */

enum { SIZE = 4096, PATH = 256, MOST = 16384 };

typedef struct read_job {
  char path[PATH], data[SIZE + 1];
  ssize_t length;
} read_job;

/* Jobs from done on are finished, up to started they are under way or wait. */
typedef struct line {
  pthread_mutex_t lock;
  pthread_cond_t more, finished;
  read_job *jobs; /* of the window */
  lua_Integer window, started, done, wanted;
  bool sleeps, ends;
} line;

/* The system calls of modfs.read: a file is read until nothing comes. */
static void read_file(read_job *job) {
  int file = open(job->path, O_RDONLY | O_CLOEXEC);
  job->length = pread(file, job->data, sizeof job->data, 0);
  if (job->length > 0 && pread(file, job->data, 1, job->length) != 0) job->length = -1;
  close(file);
}

/* Takes all that waits at once, and wakes the other side when what that waits for is done. */
static void *read_line(void *argument) {
  line *self = argument;
  pthread_mutex_lock(&self->lock);
  for (;;) {
    while (self->done == self->started && !self->ends) {
      self->sleeps = true;
      pthread_cond_wait(&self->more, &self->lock);
      self->sleeps = false;
    }
    if (self->done == self->started) break;
    lua_Integer from = self->done, to = self->started;
    pthread_mutex_unlock(&self->lock);
    for (lua_Integer i = from; i < to; i++)
      read_file(&self->jobs[i % self->window]);
    pthread_mutex_lock(&self->lock);
    self->done = to;
    if (self->wanted >= 0 && self->wanted < to) pthread_cond_signal(&self->finished);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

static void start(line *self, const char *place, lua_Integer number) {
  snprintf(self->jobs[number % self->window].path, PATH, "%s/%lld", place, (long long)number + 1);
  pthread_mutex_lock(&self->lock);
  self->started = number + 1;
  if (self->sleeps) pthread_cond_signal(&self->more);
  pthread_mutex_unlock(&self->lock);
}

static void take(lua_State *L, line *self, lua_Integer number) {
  const read_job *job = &self->jobs[number % self->window];
  pthread_mutex_lock(&self->lock);
  self->wanted = number;
  while (self->done <= number)
    pthread_cond_wait(&self->finished, &self->lock);
  self->wanted = -1;
  pthread_mutex_unlock(&self->lock);
  lua_pushlstring(L, job->data, job->length > 0 ? (size_t)job->length : 0);
  lua_pop(L, 1);
}

/* read(place, files, window): reads the files place/1, place/2, … on another thread, that many ahead;
 * without a window on this one. */
static int limit_read(lua_State *L) {
  const char *place = luaL_checkstring(L, 1);
  lua_Integer files = luaL_checkinteger(L, 2), window = luaL_optinteger(L, 3, 1);
  line self = {.lock = PTHREAD_MUTEX_INITIALIZER,
               .more = PTHREAD_COND_INITIALIZER,
               .finished = PTHREAD_COND_INITIALIZER,
               .window = window,
               .wanted = -1};
  pthread_t peer;
  bool threaded = !lua_isnoneornil(L, 3);
  if (window < 1 || window > MOST) return luaL_error(L, "window out of range");
  self.jobs = lua_newuserdata(L, (size_t)window * sizeof *self.jobs);
  if (threaded && pthread_create(&peer, NULL, read_line, &self) != 0)
    return luaL_error(L, "no thread");
  for (lua_Integer i = 0; i < files + window; i++) {
    if (threaded && i >= window) take(L, &self, i - window);
    if (i < files) start(&self, place, i);
    if (threaded || i >= files) continue;
    read_file(&self.jobs[0]);
    self.done = i + 1;
    take(L, &self, i);
  }
  pthread_mutex_lock(&self.lock);
  self.ends = true;
  pthread_cond_signal(&self.more);
  pthread_mutex_unlock(&self.lock);
  if (threaded) pthread_join(peer, NULL);
  return 0;
}

__attribute__((visibility("default"))) int luaopen_async_limit(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, limit_round_trips);
  lua_setfield(L, -2, "round_trips");
  lua_pushcfunction(L, limit_read);
  lua_setfield(L, -2, "read");
  return 1;
}
