/* How far a Job is. One of the engine is asked. One of Lua code has what those had that it has followed
 * to do one thing, or what the Jobs have together that are its parts. */
#include "job.h"

/* Puts the Job that the one at the top of the stack waits for in its place; NULL: it waits for none. */
static const job_object *replace_by_inner(lua_State *L) {
  job_push_value(L, -1, "inner");
  const job_object *inner = object_test(L, lua_gettop(L), &modfs_job_class);
  if (inner)
    lua_replace(L, -2);
  else
    lua_pop(L, 1);
  return inner;
}

const job_object *job_innermost(lua_State *L, int index) {
  const job_object *self = lua_touserdata(L, index), *inner = self;
  lua_pushvalue(L, index);
  while (!job_has_engine(self) && !self->finished && (inner = replace_by_inner(L)))
    self = inner;
  return self;
}

static void keep_greater(uint64_t *most, uint64_t other) {
  if (*most < other) *most = other;
}

/* What goes on never falls back, even where its next job has not begun. */
static modfs_job_progress together(modfs_job_progress now, const modfs_job_progress *before) {
  keep_greater(&now.bytes, before->bytes);
  keep_greater(&now.total_bytes, before->total_bytes);
  keep_greater(&now.files, before->files);
  keep_greater(&now.total_files, before->total_files);
  return now;
}

static modfs_job_progress progress_at(lua_State *L, int index, int depth);

/* Adds one part. A total is known where it is of each part that is not done. */
static void add_part(modfs_job_progress *sum, const modfs_job_progress *part, bool known[2]) {
  bool done = part->state == MODFS_JOB_DONE;
  sum->bytes += part->bytes;
  sum->files += part->files;
  sum->total_bytes += part->total_bytes > 0 ? part->total_bytes : part->bytes;
  sum->total_files += part->total_files > 0 ? part->total_files : part->files;
  known[0] = known[0] && (done || part->total_bytes > 0);
  known[1] = known[1] && (done || part->total_files > 0);
  bool stuck = part->state == MODFS_JOB_STUCK;
  if (stuck || (part->state != MODFS_JOB_QUEUED && sum->state == MODFS_JOB_QUEUED))
    sum->state = stuck ? MODFS_JOB_STUCK : MODFS_JOB_RUNNING;
}

/* Of the list at the top of the stack. */
static modfs_job_progress sum_of_parts(lua_State *L, int depth) {
  modfs_job_progress sum = {.state = MODFS_JOB_QUEUED};
  bool known[2] = {true, true};
  int list = lua_gettop(L);
  for (int i = 1; lua_rawgeti(L, list, i), !lua_isnil(L, -1); i++) {
    modfs_job_progress part = progress_at(L, list + 1, depth);
    add_part(&sum, &part, known);
    lua_settop(L, list);
  }
  if (!known[0]) sum.total_bytes = 0;
  if (!known[1]) sum.total_files = 0;
  return sum;
}

/* Leaves values on the stack. */
static modfs_job_progress of_lua_code(lua_State *L, const job_object *self, int index, int depth) {
  job_push_value(L, index, "parts");
  if (lua_istable(L, -1)) return sum_of_parts(L, depth);
  if (self->finished && !self->goes_on) return self->last;
  job_push_value(L, index, "inner");
  bool follows = object_test(L, lua_gettop(L), &modfs_job_class) != NULL;
  modfs_job_progress now = {.state = MODFS_JOB_RUNNING};
  if (follows) now = progress_at(L, lua_gettop(L), depth);
  if (now.state == MODFS_JOB_DONE) now.state = MODFS_JOB_RUNNING;
  return self->goes_on ? together(now, &self->last) : now;
}

/* Of Jobs that wait for each other in a circle, or in a longer chain, the rest is not known. */
static modfs_job_progress progress_at(lua_State *L, int index, int depth) {
  enum { DEEPEST = 1000 };
  job_object *self = lua_touserdata(L, index);
  modfs_job_progress now = {.state = MODFS_JOB_RUNNING};
  if (job_has_engine(self)) return modfs_job_get_progress(self->object.handle);
  luaL_checkstack(L, LUA_MINSTACK, "too many Jobs in one");
  if (!self->counts && depth < DEEPEST) {
    self->counts = true;
    now = of_lua_code(L, self, index, depth + 1);
    self->counts = false;
  }
  if (self->finished) now.state = MODFS_JOB_DONE;
  return now;
}

static const char *state_name(modfs_job_state state) {
  static const char *const names[] = {[MODFS_JOB_QUEUED] = "queued",
                                      [MODFS_JOB_RUNNING] = "running",
                                      [MODFS_JOB_STUCK] = "stuck",
                                      [MODFS_JOB_DONE] = "done"};
  return names[state];
}

const char *job_state(lua_State *L) {
  return state_name(progress_at(L, 1, 0).state);
}

static void set_amount(lua_State *L, const char *name, uint64_t amount) {
  if (amount == 0) return;
  push_sum(L, amount);
  lua_setfield(L, -2, name);
}

int job_progress(lua_State *L) {
  job_check(L);
  modfs_job_progress progress = progress_at(L, 1, 0);
  lua_createtable(L, 0, 5);
  set_amount(L, "bytes", progress.bytes);
  set_amount(L, "total_bytes", progress.total_bytes);
  set_amount(L, "files", progress.files);
  set_amount(L, "total_files", progress.total_files);
  lua_pushstring(L, state_name(progress.state));
  lua_setfield(L, -2, "state");
  return 1;
}

/* A Job that waits for itself, by others, would wait for ever. */
static void check_circle(lua_State *L, const job_object *self) {
  const job_object *inner = object_test(L, 2, &modfs_job_class);
  lua_pushvalue(L, 2);
  while (inner && inner != self && !inner->finished && !job_has_engine(inner))
    inner = replace_by_inner(L);
  lua_settop(L, 2);
  if (inner != self) return;
  lua_pushliteral(L, "await: the job waits for itself");
  lua_error(L);
}

int jobs_follow(lua_State *L) {
  job_object *self = job_check(L);
  self->goes_on = lua_toboolean(L, 3);
  lua_settop(L, 2);
  check_circle(L, self);
  job_push_value(L, 1, "inner");
  const job_object *former = object_test(L, 3, &modfs_job_class);
  if (former && self->goes_on) self->last = together(self->last, &former->last);
  lua_pushvalue(L, 2);
  job_set_value(L, 1, "inner");
  return 0;
}

int jobs_parts(lua_State *L) {
  job_check(L);
  lua_settop(L, 2);
  job_set_value(L, 1, "parts");
  return 0;
}
