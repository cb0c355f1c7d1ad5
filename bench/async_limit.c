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

/* Of one line at a time; a new process has no pages of them yet, the next lines of it do. */
static read_job jobs[MOST];

/* Jobs below done are finished, from there to started they are under way or wait; those below taken
 * have been taken. */
typedef struct line {
  pthread_mutex_t lock;
  pthread_cond_t more, finished;
  lua_Integer window, started, done, taken, wanted;
  bool sleeps, ends, threaded;
  pthread_t peer;
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
      read_file(&jobs[i % self->window]);
    pthread_mutex_lock(&self->lock);
    self->done = to;
    if (self->wanted >= 0 && self->wanted < to) pthread_cond_signal(&self->finished);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

/* The next job is there, with its path. */
static void start(line *self) {
  pthread_mutex_lock(&self->lock);
  self->started++;
  if (self->sleeps) pthread_cond_signal(&self->more);
  pthread_mutex_unlock(&self->lock);
}

static read_job *next_job(line *self) {
  return &jobs[self->started % self->window];
}

/* Pushes what the oldest job that was not taken yet has read. */
static void take(lua_State *L, line *self) {
  const read_job *job = &jobs[self->taken % self->window];
  pthread_mutex_lock(&self->lock);
  self->wanted = self->taken;
  while (self->done <= self->taken)
    pthread_cond_wait(&self->finished, &self->lock);
  self->wanted = -1;
  pthread_mutex_unlock(&self->lock);
  self->taken++;
  lua_pushlstring(L, job->data, job->length > 0 ? (size_t)job->length : 0);
}

static int line_close(lua_State *L) {
  line *self = luaL_checkudata(L, 1, "limit.Line");
  pthread_mutex_lock(&self->lock);
  self->ends = true;
  pthread_cond_signal(&self->more);
  pthread_mutex_unlock(&self->lock);
  if (self->threaded) pthread_join(self->peer, NULL);
  self->threaded = false;
  return 0;
}

/* Reads with that many jobs at most; threaded: on another thread. */
static line *push_line(lua_State *L, lua_Integer window, bool threaded) {
  if (window < 1 || window > MOST) luaL_error(L, "window out of range");
  line *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (line){.lock = PTHREAD_MUTEX_INITIALIZER,
                 .more = PTHREAD_COND_INITIALIZER,
                 .finished = PTHREAD_COND_INITIALIZER,
                 .window = window,
                 .wanted = -1};
  luaL_setmetatable(L, "limit.Line");
  self->threaded = threaded && pthread_create(&self->peer, NULL, read_line, self) == 0;
  if (threaded && !self->threaded) luaL_error(L, "no thread");
  return self;
}

/* read(place, files, window): reads the files place/1, place/2, … on another thread, that many ahead;
 * without a window on this one. */
static int limit_read(lua_State *L) {
  const char *place = luaL_checkstring(L, 1);
  lua_Integer files = luaL_checkinteger(L, 2), window = luaL_optinteger(L, 3, 1);
  line *self = push_line(L, window, !lua_isnoneornil(L, 3));
  for (lua_Integer i = 0; i < files + window; i++) {
    if (i >= window) {
      take(L, self);
      lua_pop(L, 1);
    }
    if (i >= files) continue;
    read_job *job = next_job(self);
    snprintf(job->path, PATH, "%s/%lld", place, (long long)i + 1);
    start(self);
    if (self->threaded) continue;
    read_file(job);
    self->done = i + 1;
  }
  lua_pushcfunction(L, line_close);
  lua_insert(L, -2);
  lua_call(L, 1, 0);
  return 0;
}

/* The same in three calls of methods: line(window), line:start(path), line:take() for the oldest. No
 * more than the window may be under way. */
static int limit_line(lua_State *L) {
  push_line(L, luaL_checkinteger(L, 1), true);
  return 1;
}

static int line_start(lua_State *L) {
  line *self = luaL_checkudata(L, 1, "limit.Line");
  snprintf(next_job(self)->path, PATH, "%s", luaL_checkstring(L, 2));
  start(self);
  return 0;
}

static int line_take(lua_State *L) {
  take(L, luaL_checkudata(L, 1, "limit.Line"));
  return 1;
}

__attribute__((visibility("default"))) int luaopen_async_limit(lua_State *L) {
  static const luaL_Reg methods[] = {{"start", line_start},
                                     {"take", line_take},
                                     {"close", line_close},
                                     {"__gc", line_close},
                                     {NULL, NULL}};
  static const luaL_Reg functions[] = {
      {"round_trips", limit_round_trips}, {"read", limit_read}, {"line", limit_line}, {NULL, NULL}};
  luaL_newmetatable(L, "limit.Line");
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
