/* Deferrals: calls of the binding whose operation becomes a job.
 *
 * start calls a function of the binding in a deferral: the operation that this function comes to is
 * copied into C memory and started, instead of performed. A deferral concerns the function that start
 * itself calls, not those that a finalizer calls meanwhile: so the caller is compared. Deferrals nest
 * when a finalizer starts a Job; the state has the innermost one, which is on start's C stack.
 *
 * The copy belongs to the job of the engine, which frees it on any thread. */
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "core/base/bytes.h"
#include "core/base/spare.h"
#include "core/fs/choice.h"
#include "job.h"
#include "poll.h"

struct deferral {
  lua_State *L;
  job_object *job; /* NULL: it was started */
  double timeout;
  struct deferral *outer;
};

/* An operation in a job: the copies of its strings follow. */
typedef struct deferred {
  operation operation;
  modfs_bytes *bytes; /* data belongs to them */
  modfs_job_options options;
  double until; /* job_seconds at its deadline; 0: none */
  atomic_uint
      references;     /* of the jobs of the engine that run it: a second one when it is restarted */
  bool is_spare;      /* of the size of those that are kept */
  atomic_bool locked; /* the bytes are locked for it: until it has run, or is done without */
  alignas(max_align_t) char copies[]; /* data first, which may be an array */
} deferred;

/* Deferring ----------------------------------------------------------------------- */

static lua_function job_call;

bool deferral_is_here(lua_State *L) {
  const struct deferral *deferral = state_here(L)->deferral;
  lua_Debug caller;
  if (!deferral || deferral->L != L || !deferral->job || !lua_getstack(L, 1, &caller)) return false;
  lua_getinfo(L, "f", &caller);
  lua_CFunction starts = lua_tocfunction(L, -1);
  bool is_start = starts == job_start || starts == job_call;
  lua_pop(L, 1);
  return is_start;
}

void deferred_unlock(operation *call) {
  deferred *self = (deferred *)call; /* the first member */
  if (atomic_exchange(&self->locked, false)) bytes_unlock(self->bytes);
}

static void deferred_run(void *argument, TF_Status *status) {
  operation *self = argument;
  self->kind->run(self, status);
  modfs_job_keeps(self->used);
  deferred_unlock(self);
}

/* Those with room for a small file. There are only as many as are kept: further jobs get the least room,
 * as memory that is used for the first time is dear. */
enum { SPARES = 128 };
enum { SPARE_SIZE = sizeof(deferred) + 8 * 1024 + 512 };
static spare_list spare = SPARE_LIST(SPARES);
static atomic_int spares; /* how many there are, in use or not */

/* NULL: there are enough, or no memory. */
static deferred *take_spare(void) {
  deferred *self = spare_take(&spare);
  if (self) return self;
  if (atomic_fetch_add(&spares, 1) < SPARES && (self = malloc(SPARE_SIZE))) return self;
  atomic_fetch_sub(&spares, 1);
  return NULL;
}

static deferred *deferred_allocate(size_t fixed, size_t *room, size_t least_room) {
  size_t size = fixed + *room;
  bool fits = size <= SPARE_SIZE && size > SPARE_SIZE / 2;
  deferred *self = fits ? take_spare() : NULL;
  bool is_spare = self != NULL;
  if (fits && !is_spare) *room = least_room;
  if (!self) self = malloc(fixed + *room);
  if (self) self->is_spare = is_spare;
  return self;
}

static void deferred_free(void *argument) {
  deferred *self = argument;
  if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) > 1) return;
  deferred_unlock(&self->operation);
  if (self->operation.kind->fini) self->operation.kind->fini(&self->operation);
  modfs_choice_free(self->operation.choice);
  modfs_bytes_drop(self->bytes);
  if (self->is_spare && spare_put(&spare, self)) return;
  if (self->is_spare) atomic_fetch_sub(&spares, 1);
  free(self);
}

static size_t size_of(const char *text) {
  return text ? strlen(text) + 1 : 0;
}

static const char *copy_to(char **place, const char *text, size_t size) {
  if (!text) return NULL;
  char *copy = memcpy(*place, text, size);
  *place += size;
  return copy;
}

/* Bytes of a Buffer or a Region are retained, others copied. */
static deferred *deferred_new(lua_State *L, const operation *call) {
  modfs_bytes *bytes = call->data_index ? bytes_retained(L, call->data_index) : NULL;
  size_t path = size_of(call->path), dst = size_of(call->dst);
  size_t data = bytes ? 0 : call->length, room = call->room;
  deferred *self = deferred_allocate(sizeof *self + path + dst + data, &room, call->least_room);
  if (!self) {
    modfs_bytes_drop(bytes);
    return NULL;
  }
  char *place = self->copies;
  self->operation = *call;
  self->operation.room = room;
  self->operation.choice = choice_retain(call->choice);
  self->bytes = bytes;
  atomic_init(&self->references, 1);
  atomic_init(&self->locked, false);
  if (!bytes) self->operation.data = copy_to(&place, call->data, data);
  self->operation.path = copy_to(&place, call->path, path);
  self->operation.dst = copy_to(&place, call->dst, dst);
  self->operation.space = place;
  return self;
}

/* False after pushing the failure. */
static bool have_strand(lua_State *L, modfs_object *object) {
  TF_Status *status = state_status(L);
  if (!object || object->strand) return true;
  object->strand = modfs_strand_open(status);
  if (!object->strand) push_failure(L, status);
  return object->strand;
}

/* A Buffer belongs to the job until it is done; a Region never changes. False after pushing the
 * failure. */
static bool lock_bytes(lua_State *L, deferred *self) {
  bool is_buffer = self->bytes && object_test(L, self->operation.data_index, &modfs_buffer_class);
  if (is_buffer && !bytes_lock(self->bytes, self->operation.fills)) {
    push_failure_code(L, TF_FAILED_PRECONDITION, "%s: another job uses the buffer",
                      function_name(L));
    return false;
  }
  atomic_store(&self->locked, is_buffer);
  return true;
}

/* What the operation has taken stays the caller's when it is not started. */
static void deferred_discard(deferred *self) {
  self->operation.made = NULL;
  deferred_free(self);
}

/* Failures of starting are results, as those of the call would be. */
int job_defer(lua_State *L, const operation *call) {
  modfs_state *state = state_here(L);
  struct deferral *deferral = state->deferral;
  job_object *job = deferral->job;
  TF_Status *status = state->status;
  if (!have_strand(L, call->object)) return 3;
  job_keep(L, job, call->function, "function");
  job_keep(L, job, call->onerror, "onerror");
  deferred *copy = deferred_new(L, call);
  if (!copy) raise_no_memory(L);
  if (!lock_bytes(L, copy)) {
    deferred_discard(copy);
    return 3;
  }
  copy->until = deferral->timeout > 0 ? job_seconds() + deferral->timeout : 0;
  copy->options = (modfs_job_options){.callbacks = state->callbacks,
                                      .number = (uint64_t)job->number,
                                      .operation = function_name(L),
                                      .path = copy->operation.path,
                                      .strand = call->object ? call->object->strand : NULL,
                                      .shared = call->turn == OPERATION_FREE,
                                      .exclusive = call->turn == OPERATION_EXCLUSIVE,
                                      .reads = call->kind->reads,
                                      .timeout = deferral->timeout};
  job->object.handle = modfs_job_start(deferred_run, deferred_free, copy, &copy->options, status);
  if (!job->object.handle) {
    deferred_discard(copy);
    return push_failure(L, status);
  }
  job->operation = &copy->operation;
  job_describe(job, copy->options.operation, copy->options.path);
  deferral->job = NULL;
  return 0;
}

bool deferred_restart(lua_State *L, job_object *self) {
  deferred *copy = (deferred *)self->operation; /* the first member */
  modfs_job_options options = copy->options;
  options.number = (uint64_t)self->number;
  if (copy->until > 0) options.timeout = copy->until - job_seconds();
  if (options.timeout < 0 || copy->bytes) return false; /* the bytes are not locked any more */
  operation_clear(&copy->operation);
  atomic_fetch_add(&copy->references, 1);
  modfs_job *job =
      modfs_job_start(deferred_run, deferred_free, copy, &options, state_here(L)->status);
  if (!job) {
    atomic_fetch_sub(&copy->references, 1);
    return false;
  }
  modfs_job_close(self->object.handle);
  self->object.handle = job;
  return true;
}

/* Starting ------------------------------------------------------------------------ */

/* Keeps the userdata among the arguments, which are those from first on, in the Job at the top of the
 * stack. */
static void keep_objects(lua_State *L, int first, int last) {
  int count = 0;
  for (int i = first; i <= last; i++) {
    if (lua_type(L, i) != LUA_TUSERDATA) continue;
    if (count == 0) lua_newtable(L);
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, ++count);
  }
  if (count > 0) job_set_value(L, lua_gettop(L) - 1, "objects");
}

/* The function at 1, with the arguments behind it. */
static int start(lua_State *L, double timeout) {
  modfs_state *state = state_here(L);
  if (!callbacks_queue(L)) return 3;
  luaL_checkstack(L, LUA_MINSTACK, "too many arguments");
  int last = lua_gettop(L);
  job_object *self = job_new(L);
  keep_objects(L, 2, last);
  job_expect(L, self, 1);
  lua_insert(L, 1);
  struct deferral deferral = {L, self, timeout, state->deferral};
  state->deferral = &deferral;
  int failed = lua_pcall(L, last - 1, LUA_MULTRET, 0);
  state->deferral = deferral.outer;
  if (deferral.job) { /* its results are there, or an error */
    if (callbacks_take(L, self->number)) lua_pop(L, 1);
    self->number = 0;
    if (failed) return lua_error(L);
    self->object.handle = self;
    job_finish(L, 1, lua_gettop(L) - 1);
  } else {
    callbacks_tell(L);
  }
  lua_settop(L, 1);
  return 1;
}

int job_start(lua_State *L) {
  double timeout = lua_tonumber(L, 2);
  if (!lua_iscfunction(L, 1)) type_error(L, 1, "function");
  if (lua_gettop(L) > 1) lua_remove(L, 2);
  return start(L, timeout);
}

/* Upvalue 4: the function; 5: what is called instead where the last argument has a timeout. */
static int job_call(lua_State *L) {
  int last = lua_gettop(L);
  bool timed = false;
  if (last > 0 && lua_istable(L, last)) {
    lua_pushliteral(L, "timeout");
    lua_rawget(L, last);
    timed = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  lua_pushvalue(L, lua_upvalueindex(timed ? 5 : 4));
  lua_insert(L, 1);
  if (!timed) return start(L, 0);
  lua_call(L, last, LUA_MULTRET);
  return lua_gettop(L);
}

int job_starter(lua_State *L) {
  if (!lua_iscfunction(L, 1)) type_error(L, 1, "function");
  lua_settop(L, 2);
  push_upvalues(L);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, job_call, 5);
  return 1;
}
