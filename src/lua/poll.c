/* Callbacks of streams, and Jobs that are done, in a Lua state.
 *
 * A callback is a number, given out in order and never reused. It is waiting from callbacks_expect
 * until it is taken: a table in the registry maps the number to the Job, or to the function, and the
 * negative of the number to its Stream, which it keeps alive. It leaves the table when it is taken to be run, or when the
 * stream refuses it. The core's queue carries numbers only, so plugin threads never touch a Lua
 * value, and one that arrives and is not in the table (refused, but run all the same) does nothing.
 *
 * All of this is for the thread that runs the Lua state, without a lock: callbacks run on it alone,
 * in synchronize, wait and poll, one after another. callbacks_running keeps a callback from running
 * others, except while it waits for a Job that can be done by those only. callbacks_waiting counts the table's entries, so that poll does not wait forever for
 * nothing.
 *
 * The block of the state owns the queue, and its finalizer closes it; what arrives later is
 * dropped. In a forked child the parent's callbacks stay in the table and never run; new ones do.
 */
#include <math.h>

#include "poll.h"

#include "collect.h"
#include "core/async/callbacks.h"
#include "device.h"
#include "job.h"

static const char waiting_key = 0; /* of the table of waiting closures, by number */
static const char watcher_key = 0; /* of the function that callbacks_tell calls */
static const char wake_key = 0;    /* of the function that wakes a coroutine */

/* The queue ----------------------------------------------------------------- */

modfs_callbacks *callbacks_queue(lua_State *L) {
  modfs_state *state = state_here(L);
  if (state->callbacks != NULL) return state->callbacks;
  state->callbacks = modfs_callbacks_open(state->status);
  if (state->callbacks == NULL && collect_for_retry(L, state->status) && state->callbacks == NULL)
    state->callbacks = modfs_callbacks_open(state->status);
  if (state->callbacks == NULL) push_failure(L, state->status);
  return state->callbacks;
}

/* table[number] = nil, where it is something else: allocates nothing, and so raises nothing. */
static void clear_numbered(lua_State *L, int table, int64_t number) {
  lua_pushnil(L);
  compat_rawseti(L, table, number);
}

/* The same for a Stream; pushes what was there. */
static bool take_stream(lua_State *L, int table, int64_t number) {
  compat_rawgeti(L, table, -number);
  if (lua_isnil(L, -1)) return false;
  clear_numbered(L, table, -number);
  return true;
}

static bool take_waiting(lua_State *L, modfs_state *state, int table, int64_t number) {
  compat_rawgeti(L, table, number);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  clear_numbered(L, table, number);
  state->callbacks_waiting--;
  return true;
}

static void wait_for(lua_State *L, int64_t number) {
  push_registry_table(L, &waiting_key, "");
  lua_insert(L, -2);
  compat_rawseti(L, -2, number);
  lua_pop(L, 1);
  state_here(L)->callbacks_waiting++;
}

void callbacks_expect_again(lua_State *L, int64_t number) {
  wait_for(L, number);
}

void callbacks_push(lua_State *L, int64_t number) {
  push_registry_table(L, &waiting_key, "");
  compat_rawgeti(L, -1, number);
  lua_remove(L, -2);
}

int64_t callbacks_expect(lua_State *L) {
  modfs_state *state = state_here(L);
  int64_t number = state->callbacks_number + 1;
  wait_for(L, number);
  return state->callbacks_number = number;
}

bool callbacks_take(lua_State *L, int64_t number) {
  push_registry_table(L, &waiting_key, "");
  int table = lua_gettop(L);
  bool taken = take_waiting(L, state_here(L), table, number);
  lua_remove(L, table);
  return taken;
}

void callbacks_watch(lua_State *L) {
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watcher_key);
}

/* Reads the table only: the state closes. */
void callbacks_end(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &waiting_key);
  for (lua_pushnil(L); lua_istable(L, -2) && lua_next(L, -2); lua_pop(L, 1)) {
    job_object *job = object_test(L, -1, &modfs_job_class);
    if (job) job_leave(job);
  }
  lua_settop(L, 1);
}

void callbacks_tell(lua_State *L) {
  if (state_here(L)->callbacks_waiting != 1) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &watcher_key);
  if (lua_isnil(L, -1))
    lua_pop(L, 1);
  else if (lua_pcall(L, 0, 0, 0) != 0)
    callback_warn(L);
}

/* The function at 2, for the Stream at 1: where that is set and memory is short for the function, the
 * next number is the same. */
static int64_t expect_function(lua_State *L, modfs_state *state) {
  int64_t number = state->callbacks_number + 1;
  push_registry_table(L, &waiting_key, "");
  lua_pushvalue(L, 1);
  compat_rawseti(L, -2, -number);
  lua_pushvalue(L, 2);
  compat_rawseti(L, -2, number);
  lua_pop(L, 1);
  state->callbacks_waiting++;
  return state->callbacks_number = number;
}

static int refuse_function(lua_State *L, modfs_state *state, int64_t number) {
  push_registry_table(L, &waiting_key, "");
  int table = lua_gettop(L);
  take_waiting(L, state, table, number);
  take_stream(L, table, number);
  check_stream(L, 1);
  return push_failure(L, state->status);
}

int callback_enqueue(lua_State *L) {
  const device_part *self = check_stream(L, 1);
  if (!lua_isfunction(L, 2)) type_error(L, 2, "function");
  object_await(&self->object);
  modfs_state *state = state_here(L);
  modfs_callbacks *queue = state->callbacks ? state->callbacks : callbacks_queue(L);
  if (queue == NULL) return 3;
  int64_t number = expect_function(L, state);
  if (self->object.handle != NULL)
    modfs_stream_callback(self->object.handle, queue, (uint64_t)number, state->status);
  bool enqueued = self->object.handle != NULL && TF_GetCode(state->status) == TF_OK;
  if (!enqueued) return refuse_function(L, state, number);
  if (state->callbacks_waiting == 1) callbacks_tell(L);
  lua_pushvalue(L, 1);
  return 1;
}

/* Running ------------------------------------------------------------------- */

/* The message handler: turns any error value into a string. */
static int describe_error(lua_State *L) {
  if (lua_tostring(L, 1) != NULL) return 1;
  if (luaL_callmeta(L, 1, "__tostring") && lua_type(L, -1) == LUA_TSTRING) return 1;
  lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
  return 1;
}

static void describe(char *text, size_t size, const char *message) {
  snprintf(text, size, "modfs: callback: %s", message != NULL ? message : "failed");
}

void callback_warn(lua_State *L) {
  char text[1024];
  describe(text, sizeof text, lua_tostring(L, -1));
  lua_pop(L, 1);
  compat_warn(L, text);
}

/* An error becomes the status of the Stream, or a warning when that is closed. */
static void report_error(lua_State *L, int stream, const char *message) {
  const device_part *part = object_test(L, stream, &modfs_stream_class);
  char text[1024];
  describe(text, sizeof text, message);
  if (part != NULL && part->object.handle != NULL)
    modfs_stream_fail(part->object.handle, TF_UNKNOWN, text + sizeof "modfs:");
  else
    compat_warn(L, text);
}

/* Calls the function at the top of the stack, and leaves the object below it, which it is about. */
static void call_about(lua_State *L, int handler) {
  if (lua_pcall(L, 0, 0, handler) == 0) return;
  if (object_test(L, -2, &modfs_job_class)) {
    callback_warn(L);
    return;
  }
  report_error(L, -2, lua_tostring(L, -1));
  lua_pop(L, 1);
}

/* Runs one, and counts it if that number is waiting. False: with an error at the top of the stack. */
static bool run_one(lua_State *L, modfs_state *state, int table, int64_t number, size_t *count) {
  if (!take_waiting(L, state, table, number)) return true;
  *count += 1;
  if (lua_isuserdata(L, -1)) {
    if (!job_arrived(L, table + 1)) return false;
  } else {
    if (!take_stream(L, table, number)) {
      lua_pop(L, 1);
      lua_getupvalue(L, -1, 2);
    }
    lua_insert(L, -2);
    call_about(L, table + 1);
  }
  lua_pop(L, 1);
  return true;
}

/* Pushes what run_arrived uses, and returns where. */
static int push_run(lua_State *L) {
  luaL_checkstack(L, 8, "too many callbacks");
  push_registry_table(L, &waiting_key, "");
  lua_pushcfunction(L, describe_error);
  return lua_gettop(L) - 1;
}

/* Stops at the first callback that was enqueued meanwhile: one that enqueues itself again must not
 * keep this running forever; and at the first question of a job, for the same reason, and as the
 * loop may have other things to do before the next one.
 *
 * From the first take on nothing raises: a callback that was taken has to run, callbacks_running has to
 * be reset, and a wait ends before its error is raised. So false leaves one at the top of the stack, when
 * there was no memory to keep that of a Job. The whole is not called in protected mode, as SIGINT's hook
 * would raise on entering it, before the wait cancels its Job (wait_piece). */
static bool run_arrived(lua_State *L, int table, size_t *count) {
  modfs_state *state = state_here(L);
  int64_t last = state->callbacks_number;
  uint64_t number = 0;
  bool fine = true, nested = state->callbacks_running;
  state->callbacks_running = true;
  state->callbacks_asked = false;
  while (fine && (int64_t)number <= last && !state->callbacks_asked &&
         modfs_callbacks_take(state->callbacks, &number))
    fine = run_one(L, state, table, (int64_t)number, count);
  state->callbacks_running = nested;
  return fine;
}

size_t callbacks_run(lua_State *L) {
  const modfs_state *state = state_here(L);
  size_t count = 0;
  if (!state->callbacks || state->callbacks_running) return 0;
  int table = push_run(L);
  if (!run_arrived(L, table, &count)) lua_error(L);
  lua_settop(L, table - 1);
  return count;
}

/* Module functions ---------------------------------------------------------- */

enum { FOR_EVER = 1000000000 }; /* seconds: beyond, the core waits without a limit */

bool check_seconds(lua_State *L, int arg, double *seconds) {
  if (lua_isnoneornil(L, arg)) return true;
  if (!lua_isnumber(L, arg)) type_error(L, arg, "number");
  *seconds = lua_tonumber(L, arg);
  if (isnan(*seconds)) arg_error(L, arg, "not a number");
  if (*seconds >= 0) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "%s: timeout %g is negative", function_name(L),
                    *seconds);
  return false;
}

/* A wait that blocks has taken the last one: whoever watches for a loop is woken by a number that
 * nothing waits for, and sees that it need not go on. */
static void wake_watcher(lua_State *L) {
  const modfs_state *state = state_here(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &watcher_key);
  if (!lua_isnil(L, -1)) callbacks_put(state->callbacks, 0, state->status);
  lua_pop(L, 1);
}

/* Who waits runs what arrives, which may wait, too: C's stack ends before Lua's own limit is reached
 * on LuaJIT, and elsewhere that limit would lose a callback, not fail the wait. */
static void waits_enter(lua_State *L) {
  enum { MOST = 16 };
  modfs_state *state = state_here(L);
  if (state->waits >= MOST)
    luaL_error(L, "wait: %d waits run within each other already: coroutines should await", MOST);
  state->waits++;
}

static void waits_leave(lua_State *L) {
  state_here(L)->waits--;
}

int jobs_sleep(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &wake_key);
  return 0;
}

bool waits_wake(lua_State *L) {
  waits_enter(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &wake_key);
  int failed = lua_pcall(L, 0, 1, 0);
  waits_leave(L);
  if (failed) callback_warn(L);
  return failed || lua_toboolean(L, -1);
}

size_t callbacks_poll(lua_State *L, double seconds) {
  const modfs_state *state = state_here(L);
  bool pending = state->callbacks_waiting > 0;
  size_t count = 0;
  int table = push_run(L);
  waits_enter(L);
  if (seconds != 0) modfs_callbacks_wait(state->callbacks, seconds);
  bool fine = run_arrived(L, table, &count);
  waits_leave(L);
  if (!fine) lua_error(L);
  lua_settop(L, table - 1);
  if (pending && state->callbacks_waiting == 0) wake_watcher(L);
  return count;
}

static int module_poll(lua_State *L) {
  const modfs_state *state = state_here(L);
  double seconds = 0;
  if (!check_seconds(L, 1, &seconds)) return 3;
  bool hopeless = seconds > FOR_EVER && state->callbacks_waiting == 0;
  if (hopeless || state->callbacks_running) seconds = 0;
  if (seconds > 0 && !callbacks_queue(L)) return 3;
  if (seconds != 0) modfs_callbacks_wait(state->callbacks, seconds);
  push_count(L, callbacks_run(L));
  return 1;
}

static int module_pollfd(lua_State *L) {
  modfs_callbacks *queue = callbacks_queue(L);
  if (queue == NULL) return 3;
  push_integer(L, modfs_callbacks_descriptor(queue));
  return 1;
}

void modfs_lua_open_poll(lua_State *L) {
  set_functions(L, FUNCTIONS({"poll", module_poll}, {"pollfd", module_pollfd}));
}
