/* The module modfs.jobs, with which modfs.async is written: jobs of the binding's functions and of Lua
 * code, and what the engine is asked. No state of its own. */
#include <time.h>

#include "core/async/callbacks.h"
#include "core/base/interruption.h"
#include "file.h"
#include "job.h"
#include "poll.h"
#include "question.h"

/* Jobs of Lua code ----------------------------------------------------------------- */

/* open(cancel, name): a Job that Lua code finishes; cancel(job) is called when it is cancelled. */
static int jobs_open(lua_State *L) {
  lua_settop(L, 2);
  job_object *self = job_new(L);
  self->object.handle = self;
  job_describe(self, luaL_optstring(L, 2, "?"), NULL);
  lua_replace(L, 2);
  lua_pushvalue(L, 1);
  job_set_value(L, 2, "cancel");
  return 1;
}

/* finish(job, ...): gives such a Job its results. */
static int jobs_finish(lua_State *L) {
  const job_object *self = job_check(L);
  if (!self->finished && !job_has_engine(self)) job_finish(L, 1, lua_gettop(L) - 1);
  return 0;
}

/* fail(job, error): makes such a Job raise an error instead. */
static int jobs_fail(lua_State *L) {
  job_object *self = job_check(L);
  lua_settop(L, 2);
  if (!self->finished && !job_has_engine(self)) job_raise(L, 1);
  return 0;
}

/* pending(): how many Jobs and callbacks have not arrived. */
static int jobs_pending(lua_State *L) {
  push_count(L, state_here(L)->callbacks_waiting);
  return 1;
}

/* turn(): waits until something arrives, and runs it; false when nothing is pending. */
static int jobs_turn(lua_State *L) {
  bool pending = state_here(L)->callbacks_waiting > 0;
  if (pending) callbacks_poll(L, interruption_is_possible() ? 0.05 : -1);
  if (interruption_is_wanted()) raise_interruption(L);
  lua_pushboolean(L, pending);
  return 1;
}

/* watch(fn): fn is called when the first of several Jobs begins; nil: nothing is. */
static int jobs_watch(lua_State *L) {
  lua_settop(L, 1);
  callbacks_watch(L);
  return 0;
}

/* listen(): the path of a socket to connect to once; then accept() makes that connection the bell. */
static int jobs_listen(lua_State *L) {
  TF_Status *status = state_status(L);
  modfs_callbacks *queue = callbacks_queue(L);
  if (!queue) return 3;
  const char *path = callbacks_listen(queue, status);
  if (!path) return push_failure(L, status);
  lua_pushstring(L, path);
  return 1;
}

static int jobs_accept(lua_State *L) {
  TF_Status *status = state_status(L);
  modfs_callbacks *queue = callbacks_queue(L);
  if (!queue) return 3;
  callbacks_accept(queue, status);
  return push_done(L, status);
}

static int limit(lua_State *L, size_t (*set)(size_t most)) {
  size_t most = 0;
  if (!lua_isnoneornil(L, 1) && !check_count(L, 1, "number", &most)) return 3;
  if (most == 0 && !lua_isnoneornil(L, 1)) arg_error(L, 1, "at least 1 expected");
  push_count(L, set(most));
  return 1;
}

static int jobs_threads(lua_State *L) {
  return limit(L, modfs_job_threads);
}

static int jobs_queue(lua_State *L) {
  return limit(L, modfs_job_limit);
}

double job_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* clock(): a time in seconds that only grows. */
static int jobs_clock(lua_State *L) {
  lua_pushnumber(L, job_seconds());
  return 1;
}

/* cancelled(job): whether it was cancelled. */
static int jobs_cancelled(lua_State *L) {
  lua_pushboolean(L, job_check(L)->cancelled);
  return 1;
}

/* is_taken(job): whether somebody has had its results. */
static int jobs_is_taken(lua_State *L) {
  lua_pushboolean(L, job_check(L)->taken);
  return 1;
}

static void nothing_run(operation *self, TF_Status *status) {
  (void)self, (void)status;
}

static int nothing_push(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_done(L, status);
}

/* nothing(): an operation that does nothing. */
static int jobs_nothing(lua_State *L) {
  static const operation_kind nothing = {nothing_run, nothing_push, NULL, false};
  return operation_perform(L, &(operation){.kind = &nothing});
}

/* read_ahead(file, ...): reads by the formats again and again, into a table; only for jobs. */
static int jobs_read_ahead(lua_State *L) {
  int count = lua_gettop(L) - 1;
  check_object(L, 1, &modfs_file_class);
  if (!check_formats(L, 2, count)) return 3;
  return start_reading(L, check_object(L, 1, &modfs_file_class), 2, count, true);
}

/* lines(path or file, ...): true when these are arguments of lines; else the failure. */
static int jobs_lines(lua_State *L) {
  if (lua_type(L, 1) == LUA_TUSERDATA)
    check_object(L, 1, &modfs_file_class);
  else if (!check_path(L, 1, NULL))
    return 3;
  if (!check_formats(L, 2, lua_gettop(L) - 1)) return 3;
  lua_pushboolean(L, 1);
  return 1;
}

/* The methods, to which modfs.async adds await. */
static int jobs_methods(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &modfs_job_class);
  lua_getfield(L, -1, "__index");
  return 1;
}

void modfs_lua_open_job_module(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_newtable(L);
  set_functions(L,
                FUNCTIONS({"start", job_start}, {"starter", job_starter}, {"open", jobs_open},
                          {"cancelled", jobs_cancelled}, {"is_taken", jobs_is_taken},
                          {"finish", jobs_finish}, {"fail", jobs_fail}, {"clock", jobs_clock},
                          {"pending", jobs_pending}, {"turn", jobs_turn}, {"listen", jobs_listen},
                          {"accept", jobs_accept}, {"watch", jobs_watch}, {"threads", jobs_threads},
                          {"queue", jobs_queue}, {"follow", jobs_follow}, {"parts", jobs_parts},
                          {"nothing", jobs_nothing}, {"read_ahead", jobs_read_ahead},
                          {"lines", jobs_lines}, {"methods", jobs_methods}, {"sleep", jobs_sleep}));
  modfs_lua_open_question(L);
  lua_setfield(L, -2, "modfs.jobs");
  lua_pop(L, 1);
}
