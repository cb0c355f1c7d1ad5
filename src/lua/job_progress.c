/* How far a Job is. One of the engine is asked. One of Lua code has what those had that it has followed
 * to do one thing, or what the Jobs have together that are its parts. */
#include "job.h"

const job_object *job_innermost(lua_State *L, int index) {
  const job_object *self = lua_touserdata(L, index), *inner = self;
  lua_pushvalue(L, index);
  while (inner && !job_has_engine(inner)) {
    self = inner;
    job_push_value(L, -1, "inner");
    inner = object_test(L, lua_gettop(L), &modfs_job_class);
  }
  return inner ? inner : self;
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

static modfs_job_progress progress_at(lua_State *L, int index);

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
static modfs_job_progress sum_of_parts(lua_State *L) {
  modfs_job_progress sum = {.state = MODFS_JOB_QUEUED};
  bool known[2] = {true, true};
  int list = lua_gettop(L);
  for (int i = 1; lua_rawgeti(L, list, i), !lua_isnil(L, -1); i++) {
    modfs_job_progress part = progress_at(L, list + 1);
    add_part(&sum, &part, known);
    lua_settop(L, list);
  }
  if (!known[0]) sum.total_bytes = 0;
  if (!known[1]) sum.total_files = 0;
  return sum;
}

/* Leaves values on the stack. */
static modfs_job_progress of_lua_code(lua_State *L, const job_object *self, int index) {
  job_push_value(L, index, "parts");
  if (lua_istable(L, -1)) return sum_of_parts(L);
  if (self->finished && !self->goes_on) return self->last;
  job_push_value(L, index, "inner");
  bool follows = object_test(L, lua_gettop(L), &modfs_job_class) != NULL;
  modfs_job_progress now = {.state = MODFS_JOB_RUNNING};
  if (follows) now = progress_at(L, lua_gettop(L));
  if (now.state == MODFS_JOB_DONE) now.state = MODFS_JOB_RUNNING;
  return self->goes_on ? together(now, &self->last) : now;
}

static modfs_job_progress progress_at(lua_State *L, int index) {
  const job_object *self = lua_touserdata(L, index);
  luaL_checkstack(L, LUA_MINSTACK, "too many Jobs in one");
  if (job_has_engine(self)) return modfs_job_get_progress(self->object.handle);
  modfs_job_progress now = of_lua_code(L, self, index);
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
  return state_name(progress_at(L, 1).state);
}

static void set_amount(lua_State *L, const char *name, uint64_t amount) {
  if (amount == 0) return;
  push_sum(L, amount);
  lua_setfield(L, -2, name);
}

int job_progress(lua_State *L) {
  job_check(L);
  modfs_job_progress progress = progress_at(L, 1);
  lua_createtable(L, 0, 5);
  set_amount(L, "bytes", progress.bytes);
  set_amount(L, "total_bytes", progress.total_bytes);
  set_amount(L, "files", progress.files);
  set_amount(L, "total_files", progress.total_files);
  lua_pushstring(L, state_name(progress.state));
  lua_setfield(L, -2, "state");
  return 1;
}

int jobs_follow(lua_State *L) {
  job_object *self = job_check(L);
  self->goes_on = lua_toboolean(L, 3);
  lua_settop(L, 2);
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
