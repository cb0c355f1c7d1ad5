#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect.h"
#include "operation.h"
#include "core/base/interruption.h"

typedef struct watch_object {
  modfs_object object; /* a modfs_watch */
  double timeout;      /* seconds that the iterator waits for a change */
} watch_object;

static void watch_release(void *handle) {
  modfs_watch_close(handle);
}

const modfs_class modfs_watch_class = {"modfs.Watch", "watch", "watch", sizeof(watch_object),
                                       watch_release};

static watch_object *check_watch(lua_State *L) {
  return check_open(L, &modfs_watch_class);
}

/* Making --------------------------------------------------------------------- */

/* The option, or no limit; false after pushing the failure. */
static bool read_timeout(lua_State *L, int arg, double *seconds) {
  *seconds = HUGE_VAL;
  if (lua_isnoneornil(L, arg)) return true;
  lua_pushliteral(L, "timeout");
  lua_rawget(L, arg);
  bool given = !lua_isnil(L, -1);
  if (given && lua_type(L, -1) != LUA_TNUMBER)
    arg_error(L, arg, "option 'timeout': number expected, got %s", luaL_typename(L, -1));
  if (given) *seconds = lua_tonumber(L, -1);
  lua_pop(L, 1);
  if (isnan(*seconds)) arg_error(L, arg, "option 'timeout': not a number");
  if (*seconds >= 0) return true;
  push_failure_code(L, TF_INVALID_ARGUMENT, "watch: timeout %g is negative", *seconds);
  return false;
}

static void open_run(operation *self, TF_Status *status) {
  self->made = modfs_watch_open(self->fs, self->path, status);
}

/* The option timeout is that of the Job, so the watch has none. */
static int open_push(lua_State *L, operation *self, const TF_Status *status) {
  if (!self->made) return push_failure(L, status);
  watch_object *object = operation_push_made(L, self);
  object->timeout = HUGE_VAL;
  return 1;
}

static int start_opening(lua_State *L, const modfs_fs *fs, const char *path) {
  static const operation_kind kind = {open_run, open_push, operation_end_made, true};
  return operation_perform(
      L, &(operation){.kind = &kind, .fs = fs, .path = path, .class = &modfs_watch_class});
}

/* Returns watch, nil, nil, watch, where Lua closes the fourth value of a loop that is left. */
static int watch_open(lua_State *L) {
  static const char *const options[] = {"timeout", NULL};
  enum { CHARGE = 32 * 1024 };
  double timeout;
  lua_settop(L, 2);
  const char *path = check_path(L, 1, NULL);
  check_options(L, 2, options);
  if (!path || !read_timeout(L, 2, &timeout)) return 3;
  const modfs_fs *fs = find_fs(L, path);
  if (!fs) return 3;
  if (operation_is_deferred(L)) return start_opening(L, fs, path);
  TF_Status *status = state_status(L);
  watch_object *self = object_new(L, &modfs_watch_class);
  int object = lua_gettop(L);
  self->timeout = timeout;
  modfs_watch *watch = modfs_watch_open(fs, path, status);
  if (!watch && collect_for_retry(L, status)) watch = modfs_watch_open(fs, path, status);
  if (!watch) return push_failure(L, status);
  self->object.handle = watch;
  collect_charge(L, CHARGE);
  lua_settop(L, object);
  if (!COMPAT_HAS_CLOSE) return 1;
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, object);
  return 4;
}

/* Changes -------------------------------------------------------------------- */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void change_end(void *block) {
  modfs_change_fini(block);
}

static int push_change(lua_State *L, const modfs_change *change) {
  static const char *const kinds[] = {[MODFS_CHANGE_CREATED] = "created",
                                      [MODFS_CHANGE_CHANGED] = "changed",
                                      [MODFS_CHANGE_DELETED] = "deleted",
                                      [MODFS_CHANGE_MOVED] = "moved",
                                      [MODFS_CHANGE_OVERFLOW] = "overflow"};
  lua_createtable(L, 0, 3);
  set_text(L, "path", change->path);
  set_text(L, "kind", kinds[change->kind]);
  if (change->from) {
    set_text(L, "from", change->from);
  }
  return 1;
}

static int do_nothing(lua_State *L) {
  (void)L;
  return 0;
}

/* A signal handler that wants to stop the script has set a hook, which runs at the next call. */
static void run_hooks(lua_State *L) {
  if (interruption_is_wanted()) raise_interruption(L);
  lua_pushcfunction(L, do_nothing);
  lua_call(L, 0, 0);
}

/* Pushes the next change, nil when none came in time and at the end, which closes the watch, or the
 * failure. */
static int push_next(lua_State *L, watch_object *self, double seconds) {
  TF_Status *status = state_status(L);
  modfs_change *change = guard_new(L, sizeof *change, change_end);
  int guard = lua_gettop(L);
  double end = seconds_now() + seconds, left = seconds;
  int result = modfs_watch_next(handle_of(L, self), left, change, status);
  while (result == MODFS_WATCH_NONE && TF_GetCode(status) == TF_OK &&
         (left = end - seconds_now()) > 0) {
    run_hooks(L);
    result = modfs_watch_next(handle_of(L, self), left, change, status);
  }
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (result == MODFS_WATCH_END) object_end(&self->object);
  if (result != MODFS_WATCH_CHANGE) {
    lua_pushnil(L);
    return 1;
  }
  push_change(L, change);
  guard_end(L, guard);
  return 1;
}

/* The same for a job, whose end is looked at now and then. data: the seconds. */
static void next_run(operation *self, TF_Status *status) {
  const double most = 0.05;
  modfs_change *change = self->made = calloc(1, sizeof *change);
  double end, left;
  memcpy(&left, self->data, sizeof left);
  end = seconds_now() + left;
  self->mode = MODFS_WATCH_NONE;
  TF_SetStatus(status, TF_OK, "");
  if (!change) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  for (bool first = true; self->mode == MODFS_WATCH_NONE && TF_GetCode(status) == TF_OK &&
                          (first || left > 0) && !interruption_ends(status);
       left = end - seconds_now(), first = false)
    self->mode = modfs_watch_next(self->handle, left < most ? left : most, change, status);
}

static int next_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  if (self->mode == MODFS_WATCH_CHANGE) return push_change(L, self->made);
  if (self->mode == MODFS_WATCH_END) object_end(self->object);
  lua_pushnil(L);
  return 1;
}

static void next_fini(operation *self) {
  if (self->made) modfs_change_fini(self->made);
  free(self->made);
}

static int start_next(lua_State *L, watch_object *self, double seconds) {
  static const operation_kind kind = {next_run, next_push, next_fini, false};
  return operation_perform_on(
      L, &self->object,
      &(operation){.kind = &kind, .data = (const char *)&seconds, .length = sizeof seconds});
}

static int watch_next(lua_State *L) {
  watch_object *self = check_watch(L);
  double seconds = self->timeout;
  if (!check_seconds(L, 2, &seconds)) return 3;
  if (operation_is_deferred(L)) return start_next(L, self, seconds);
  return push_next(L, self, seconds);
}

/* for change in watch do: raises a failure, as a loop cannot return one. */
static int watch_call(lua_State *L) {
  watch_object *self = check_watch(L);
  int results = push_next(L, self, self->timeout);
  return results == 3 ? luaL_error(L, "%s", lua_tostring(L, -2)) : results;
}

/* The watch itself ----------------------------------------------------------- */

static int watch_fd(lua_State *L) {
  no_options(L, 2);
  push_integer(L, modfs_watch_descriptor(check_watch(L)->object.handle));
  return 1;
}

static int watch_tostring(lua_State *L) {
  const watch_object *self = check_self(L, &modfs_watch_class);
  push_text(L, self->object.handle ? modfs_watch_path(self->object.handle) : "closed");
  lua_pushfstring(L, "modfs.Watch (%s)", lua_tostring(L, -1));
  return 1;
}

void modfs_lua_open_watch(lua_State *L) {
  class_new(L, &modfs_watch_class,
            FUNCTIONS({"next", watch_next}, {"fd", watch_fd}, {"close", object_close}),
            FUNCTIONS({"__call", watch_call}, {"__tostring", watch_tostring}));
  set_functions(L, FUNCTIONS({"watch", watch_open}));
}
