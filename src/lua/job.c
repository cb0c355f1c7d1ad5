/* A Job, and the module modfs.jobs, on which modfs.async is built.
 *
 * A Job is waiting or finished. It waits for a job of the engine, whose handle it has (deferral.c), or
 * for the Lua code that made it by jobs.open. Its table of values keeps the objects among the arguments
 * until it is finished, and its results afterwards; but most have no such objects and one result, which
 * then is the user value itself, as a table costs as much as the rest of the Job.
 *
 * The operation belongs to the engine's job. Its results are pushed after the job is done, when the
 * Job's number arrives in the callback queue, under which it waits (poll.c). Whoever comes first takes it
 * out: poll, or wait and done, which do not wait for the queue. Then the engine's job is closed; until
 * then a finalizer that ends the Job leaves it open. So a Job that is collected has none, and as
 * finalizers cost much, Jobs have none but those that raise an error.
 *
 * All of this is for the state's own thread. When the state closes, its queue cancels the jobs and
 * waits for them. A forked child finds the parent's Jobs failed. */
#include "job.h"

#include <math.h>
#include <string.h>

#include "collect.h"
#include "core/async/callbacks.h"
#include "core/base/interruption.h"
#include "poll.h"
#include "question.h"

const modfs_class modfs_job_class = {"modfs.Job", "job", "job", sizeof(job_object), NULL};

static const char arrive_key = 0;    /* of the function that job_arrived calls */
static const char fail_key = 0;      /* of the one that it calls when that failed */
static const char finalized_key = 0; /* of the metatable with a finalizer */

/* Values -------------------------------------------------------------------------- */

/* Pushes the table, which is made at the first use; finalizers may use it before. */
static void push_values(lua_State *L, int index) {
  job_object *self = lua_touserdata(L, index);
  index = lua_absindex(L, index);
  if (!self->has_values) {
    lua_newtable(L);
    if (self->is_single) {
      compat_pushvalue(L, index);
      lua_rawseti(L, -2, 1);
    }
    if (self->has_values)
      lua_pop(L, 1);
    else
      compat_setvalue(L, index);
    self->is_single = false;
    self->has_values = true;
  }
  compat_pushvalue(L, index);
}

void job_set_value(lua_State *L, int index, const char *name) {
  push_values(L, index);
  lua_insert(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

void job_push_value(lua_State *L, int index, const char *name) {
  const job_object *self = lua_touserdata(L, index);
  if (!self->has_values) {
    lua_pushnil(L);
    return;
  }
  compat_pushvalue(L, index);
  lua_getfield(L, -1, name);
  lua_remove(L, -2);
}

/* Finishing ----------------------------------------------------------------------- */

job_object *job_check(lua_State *L) {
  return check_open(L, &modfs_job_class);
}

void job_leave(job_object *self) {
  self->arrives = false;
  void *handle = self->operation ? self->object.handle : NULL;
  if (handle) self->last = modfs_job_get_progress(handle);
  self->operation = NULL;
  self->object.handle = self;
  modfs_job_close(handle);
}

/* Calls the functions of on_done in the table of values at an index. */
static void call_waiters(lua_State *L, int job, int values) {
  lua_getfield(L, values, "on_done");
  lua_pushnil(L);
  lua_setfield(L, values, "on_done");
  int list = lua_gettop(L), count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 0;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, list, i);
    lua_pushvalue(L, job);
    if (lua_pcall(L, 1, 0, 0) != 0) callback_warn(L);
  }
  lua_settop(L, list - 1);
}

void job_finish(lua_State *L, int index, int results) {
  job_object *self = lua_touserdata(L, index);
  self->results = results;
  self->finished = true;
  if (COMPAT_ANY_USERVALUE && !self->has_values && results == 1) {
    self->is_single = true;
    compat_setvalue(L, index);
    return;
  }
  push_values(L, index);
  int values = lua_gettop(L);
  lua_pushnil(L);
  lua_setfield(L, values, "objects");
  for (int i = 1; i <= results; i++) {
    lua_pushvalue(L, values - results - 1 + i);
    lua_rawseti(L, values, i);
  }
  if (self->has_waiters) call_waiters(L, index, values);
  lua_settop(L, values - results - 1);
}

void push_job_function(lua_State *L) {
  job_push_value(L, 1, "function");
}

void push_job_onerror(lua_State *L) {
  job_push_value(L, 1, "onerror");
}

void push_job_object(lua_State *L, const modfs_object *object) {
  job_push_value(L, 1, "objects");
  for (int i = 1; lua_rawgeti(L, -1, i), lua_touserdata(L, -1) != object && !lua_isnil(L, -1); i++)
    lua_pop(L, 1);
  lua_remove(L, -2);
}

/* Only an error that nobody takes needs a finalizer. */
void job_raise(lua_State *L, int index) {
  job_object *self = lua_touserdata(L, index);
  self->raises = true;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &finalized_key);
  lua_setmetatable(L, index);
  job_finish(L, index, 1);
}

/* One that is not done cannot go on: it may ask. */
void job_fail(lua_State *L, int index) {
  job_object *self = lua_touserdata(L, index);
  if (self->number && callbacks_take(L, self->number)) lua_pop(L, 1);
  self->number = 0;
  if (job_has_engine(self)) modfs_job_cancel(self->object.handle);
  job_leave(self);
  job_raise(L, index);
}

bool job_has_engine(const job_object *self) {
  return self->operation != NULL;
}

/* Pushes what the engine's job has left. */
static int push_outcome(lua_State *L, job_object *self) {
  TF_Status *status = state_status(L);
  modfs_job_result(self->object.handle, status);
  deferred_unlock(self->operation);
  return self->operation->kind->push(L, self->operation, status);
}

/* Whether the job of the Job at 1 has lacked memory or descriptors, and begins anew now that the garbage
 * is collected. Finalizers may even have finished the Job, under the number that it gets before. */
static bool begins_anew(lua_State *L, job_object *self) {
  TF_Status *status = state_status(L);
  if (!self->operation || self->cancelled) return false;
  modfs_job_result(self->object.handle, status);
  if (!operation_begins_anew(self->operation, status)) return false;
  self->operation->once = true;
  lua_pushvalue(L, 1);
  self->number = callbacks_expect(L);
  collect_for_retry(L, status);
  if (self->finished || (!self->cancelled && deferred_restart(L, self))) {
    callbacks_tell(L);
    return true;
  }
  if (callbacks_take(L, self->number)) lua_pop(L, 1);
  self->number = 0;
  return false;
}

/* Serves the question of the Job at 1, whose job is not done. False: it is done. */
static bool asks(lua_State *L, const job_object *self) {
  if (!self->operation || modfs_job_is_done(self->object.handle)) return false;
  lua_pushvalue(L, 1);
  callbacks_expect_again(L, self->number);
  question_serve(L, 1);
  state_here(L)->callbacks_asked = true;
  return true;
}

/* Pushes the results of the Job at 1 under the name of its function. Finalizers may run this meanwhile,
 * for another one. */
static int push_results_of(lua_State *L, job_object *self) {
  modfs_state *state = state_here(L);
  const char *outer = state->job_name;
  state->job_name = self->name;
  self->arrives = true;
  int results = self->operation ? push_outcome(L, self)
                                : push_failure_code(L, TF_CANCELLED, "%s: the Job was finalized",
                                                    function_name(L));
  state->job_name = outer;
  return results;
}

/* arrive(job): settles a Job, or serves its question. */
static int job_arrive(lua_State *L) {
  job_object *self = lua_touserdata(L, 1);
  luaL_checkstack(L, LUA_MINSTACK, "too many results");
  if (asks(L, self)) return 0;
  self->number = 0;
  if (begins_anew(L, self)) return 0;
  if (self->asked_in_vain) {
    job_push_value(L, 1, "error");
    job_fail(L, 1);
    return 0;
  }
  int results = push_results_of(L, self);
  job_leave(self);
  job_finish(L, 1, results);
  return 0;
}

/* fail(job, error) */
static int fail_to_arrive(lua_State *L) {
  job_fail(L, 1);
  return 0;
}

bool job_arrived(lua_State *L, int handler) {
  int job = lua_gettop(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &arrive_key);
  lua_pushvalue(L, job);
  if (lua_pcall(L, 1, 0, handler) == 0) return true;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &fail_key);
  lua_insert(L, -2);
  lua_pushvalue(L, job);
  lua_insert(L, -2);
  return lua_pcall(L, 2, 0, 0) == 0;
}

/* Takes the results of a job of the engine, if that is done, without the queue. */
static void job_settle(lua_State *L, const job_object *self) {
  if (!job_has_engine(self) || !modfs_job_is_done(self->object.handle)) return;
  if (!self->number || !callbacks_take(L, self->number)) return;
  if (!job_arrived(L, 0)) lua_error(L);
  lua_pop(L, 1);
}

job_object *job_new(lua_State *L) {
  return object_new_with_value(L, &modfs_job_class);
}

void job_describe(job_object *self, const char *name, const char *path) {
  char *last = self->runs + sizeof self->runs - 1;
  char *end = memccpy(self->runs, name, '\0', (size_t)(last - self->runs));
  if (end && path) {
    end[-1] = ' ';
    memccpy(end, path, '\0', (size_t)(last - end));
  }
  *last = '\0';
}

void job_keep(lua_State *L, const job_object *self, int function, const char *name) {
  if (function == 0) return;
  callbacks_push(L, self->number);
  lua_pushvalue(L, function);
  job_set_value(L, lua_gettop(L) - 1, name);
  lua_pop(L, 1);
}

/* Only names of the binding's own functions are kept by the state. */
void job_expect(lua_State *L, job_object *self, int function) {
  int top = lua_gettop(L);
  bool is_ours = lua_getupvalue(L, function, 1) && lua_touserdata(L, -1) == state_here(L);
  if (is_ours && lua_getupvalue(L, function, 3)) self->name = lua_tostring(L, -1);
  lua_settop(L, top);
  lua_pushvalue(L, top);
  self->number = callbacks_expect(L);
}

/* Methods ------------------------------------------------------------------------- */

static int push_results(lua_State *L, job_object *self) {
  int count = self->results;
  luaL_checkstack(L, count + 1, "too many results");
  self->taken = true;
  if (count > 0 && !self->is_single && !self->has_values) raise_no_memory(L); /* to keep them */
  compat_pushvalue(L, 1);
  int values = lua_gettop(L);
  for (int i = 1; i <= count && !self->is_single; i++)
    lua_rawgeti(L, values, i);
  return self->raises ? lua_error(L) : count;
}

static void job_cancel_now(lua_State *L, job_object *self) {
  self->cancelled = true;
  if (job_has_engine(self)) modfs_job_cancel(self->object.handle);
  if (job_has_engine(self) || self->finished) return;
  job_push_value(L, 1, "cancel");
  if (lua_isfunction(L, -1)) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 0);
    lua_pushnil(L);
  }
  lua_pop(L, 1);
}

/* Waits by the queue, so that other results are taken meanwhile, too: the engine runs no more jobs
 * when many bytes of them are not. Signals end no wait: where the prompt's user may want its end, it
 * looks now and then. */
static void wait_piece(lua_State *L, job_object *self, double left) {
  const double most = 0.05;
  double piece = isinf(left) ? -1 : left;
  if (interruption_is_possible() && left > most) piece = most;
  callbacks_poll(L, piece);
  if (!interruption_is_wanted()) return;
  accept_interruption(); /* which would end the function that cancels */
  job_cancel_now(L, self);
  raise_interruption(L);
}

/* Waiting without a limit would be for ever: for the Job that asks the function that waits, and for
 * Lua code that nothing calls any more. What Lua code waits for may be a job that a forked child has
 * inherited, which is done, but never arrives. */
static void check_hope(lua_State *L, const job_object *self, double left) {
  const job_object *inner = job_innermost(L, 1);
  if (inner->answering > 0 && isinf(left))
    luaL_error(L, "wait: the job waits for what is asked here");
  if (inner != self) job_settle(L, inner);
  if (!self->finished && !job_has_engine(self) && isinf(left) &&
      state_here(L)->callbacks_waiting == 0)
    luaL_error(L, "wait: the job waits for something else than other jobs, which cannot go on");
}

static void wait_turn(lua_State *L, job_object *self, double left) {
  if (!job_has_engine(job_innermost(L, 1)) && waits_wake(L)) return;
  check_hope(L, self, left);
  if (!self->finished) wait_piece(L, self, left);
}

static int job_wait(lua_State *L) {
  job_object *self = job_check(L);
  double seconds = HUGE_VAL;
  if (!check_seconds(L, 2, &seconds)) return 3;
  if (!self->finished && !callbacks_queue(L)) return 3;
  double end = job_seconds() + seconds;
  for (bool over = false; !self->finished && !over;) {
    double left = end - job_seconds();
    over = !(left > 0);
    wait_turn(L, self, over ? 0 : left);
    lua_settop(L, 2);
  }
  if (self->finished) return push_results(L, self);
  return push_failure_code(L, TF_DEADLINE_EXCEEDED, "wait: the job is not done after %g seconds",
                           seconds);
}

static int job_done(lua_State *L) {
  const job_object *self = job_check(L);
  job_settle(L, job_innermost(L, 1));
  lua_pushboolean(L, self->finished);
  return 1;
}

static int job_cancel(lua_State *L) {
  job_cancel_now(L, job_check(L));
  lua_pushboolean(L, 1);
  return 1;
}

/* Its results can still be had. */
static int job_close(lua_State *L) {
  job_object *self = job_check(L);
  if (self->closed) return luaL_error(L, "attempt to use a closed job");
  self->closed = true;
  return job_cancel(L);
}

/* on_done -------------------------------------------------------------------------- */

/* Upvalue 2: a Job that is finished. */
static int late_arrive(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(2));
  push_values(L, 1);
  call_waiters(L, 1, 2);
  return 0;
}

/* Calls what waits for a finished Job, at 1, at the next poll: through the queue, so that a loop sees
 * its descriptor. False after pushing the failure. */
static bool call_late(lua_State *L) {
  const modfs_state *state = state_here(L);
  if (!callbacks_queue(L)) return false;
  push_upvalues(L);
  lua_pushvalue(L, 1);
  lua_replace(L, -3);
  lua_pushcclosure(L, late_arrive, 3);
  int64_t number = callbacks_expect(L);
  bool queued = callbacks_put(state->callbacks, (uint64_t)number, state->status);
  if (queued) {
    callbacks_tell(L);
  } else {
    callbacks_take(L, number);
    push_failure(L, state->status);
  }
  return queued;
}

static int job_on_done(lua_State *L) {
  job_object *self = job_check(L);
  if (!lua_isfunction(L, 2)) type_error(L, 2, "function");
  self->has_waiters = true;
  lua_settop(L, 2);
  push_values(L, 1);
  lua_getfield(L, 3, "on_done");
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, 3, "on_done");
  }
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
  lua_settop(L, 1);
  return self->finished && !call_late(L) ? 3 : 1;
}

/* Shows the error at 1. */
static int warn_of_error(lua_State *L) {
  const char *text = lua_tostring(L, 1);
  if (!text && luaL_callmeta(L, 1, "__tostring")) text = lua_tostring(L, -1);
  lua_pushfstring(L, "modfs: error in a Job that nobody awaits: %s",
                  text ? text : luaL_typename(L, 1));
  compat_warn(L, lua_tostring(L, -1));
  return 0;
}

static int job_collect(lua_State *L) {
  job_object *self = object_test(L, 1, &modfs_job_class);
  if (!self || self->arrives) return 0;
  job_leave(self);
  if (!self->raises || self->taken) return 0;
  self->taken = true;
  lua_pushcfunction(L, warn_of_error);
  compat_pushvalue(L, 1);
  if (!self->is_single) lua_rawgeti(L, -1, 1);
  if (!self->is_single) lua_remove(L, -2);
  lua_pcall(L, 1, 0, 0);
  return 0;
}

static int job_tostring(lua_State *L) {
  const job_object *self = job_check(L);
  const char *name = self->name ? self->name : "?";
  lua_pushfstring(L, "modfs.Job (%s, %s)", *self->runs ? self->runs : name, job_state(L));
  return 1;
}

/* Makes a second metatable, without the finalizer, the one of new Jobs. */
static void drop_finalizer(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &finalized_key);
  bool is_dropped = lua_istable(L, -1);
  lua_pop(L, 1);
  if (is_dropped) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &modfs_job_class);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, -3); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
  lua_pushnil(L);
  lua_setfield(L, -2, "__gc");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &modfs_job_class);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &finalized_key);
}

void modfs_lua_open_job(lua_State *L) {
  class_new(
      L, &modfs_job_class,
      FUNCTIONS({"wait", job_wait}, {"done", job_done}, {"cancel", job_cancel},
                {"close", job_close}, {"progress", job_progress}, {"on_done", job_on_done}),
      FUNCTIONS({"__gc", job_collect}, {"__close", job_cancel}, {"__tostring", job_tostring}));
  drop_finalizer(L);
  state_open(L);
  lua_pushcclosure(L, job_arrive, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &arrive_key);
  state_open(L);
  lua_pushcclosure(L, fail_to_arrive, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &fail_key);
  modfs_lua_open_job_module(L);
}
