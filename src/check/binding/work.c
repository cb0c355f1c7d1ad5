/* The slots of a device plugin about work: streams, events, timers, callbacks. */
#include "device.h"

const char runner_stream_class[] = "stream", runner_event_class[] = "event",
           runner_timer_class[] = "timer";

/* Handles ---------------------------------------------------------------------------------- */

static handle *new_handle(lua_State *L, const char *class) {
  handle *made = runner_new(L, sizeof *made, class);
  made->number = runner_number(L, class);
  return made;
}

static int handle_text(lua_State *L) {
  const handle *it = lua_touserdata(L, 1);
  lua_getfield(L, 1, "noun");
  lua_pushfstring(L, "%s %d", lua_tostring(L, -1), it->number);
  return 1;
}

/* Handles are equal when the plugin gave the same one. */
static int handle_equal(lua_State *L) {
  const handle *one = lua_touserdata(L, 1), *other = lua_touserdata(L, 2);
  lua_pushboolean(L, one && other && one->pointer == other->pointer);
  return 1;
}

#define MAKES(slot, type, class)                                                                   \
  static int slot_##slot(lua_State *L) {                                                           \
    BEGIN(slot);                                                                                   \
    handle *made = new_handle(L, class);                                                           \
    type pointer = NULL;                                                                           \
    executor->slot(self, &pointer, status);                                                        \
    made->pointer = pointer;                                                                       \
    return runner_answer_object(L, status);                                                        \
  }

/* A NULL handle is not destroyed. */
#define ENDS(slot, type, class)                                                                    \
  static int slot_##slot(lua_State *L) {                                                           \
    BEGIN(slot);                                                                                   \
    handle *ended = luaL_checkudata(L, 2, class);                                                  \
    type pointer = ended->pointer;                                                                 \
    ended->pointer = NULL;                                                                         \
    if (pointer) executor->slot(self, pointer);                                                    \
    return runner_answer(L, status);                                                               \
  }

#define CALLS(slot, ...)                                                                           \
  static int slot_##slot(lua_State *L) {                                                           \
    BEGIN(slot);                                                                                   \
    executor->slot(self, __VA_ARGS__, status);                                                     \
    return runner_answer(L, status);                                                               \
  }

MAKES(create_stream, SP_Stream, runner_stream_class)
ENDS(destroy_stream, SP_Stream, runner_stream_class)
MAKES(create_event, SP_Event, runner_event_class)
ENDS(destroy_event, SP_Event, runner_event_class)
MAKES(create_timer, SP_Timer, runner_timer_class)
ENDS(destroy_timer, SP_Timer, runner_timer_class)
CALLS(create_stream_dependency, STREAM(2), STREAM(3))
CALLS(get_stream_status, STREAM(2))
CALLS(record_event, STREAM(2), EVENT(3))
CALLS(wait_for_event, STREAM(2), EVENT(3))
CALLS(start_timer, STREAM(2), TIMER(3))
CALLS(stop_timer, STREAM(2), TIMER(3))
CALLS(block_host_for_event, EVENT(2))
CALLS(block_host_until_done, STREAM(2))

static int slot_synchronize_all_activity(lua_State *L) {
  BEGIN(synchronize_all_activity);
  executor->synchronize_all_activity(self, status);
  return runner_answer(L, status);
}

static int slot_get_event_status(lua_State *L) {
  static const char *const names[] = {"unknown", "error", "pending", "complete"};
  BEGIN(get_event_status);
  int answer = (int)executor->get_event_status(self, EVENT(2));
  (void)status;
  if (answer < 0 || answer > 3)
    lua_pushinteger(L, answer);
  else
    lua_pushstring(L, names[answer]);
  return 1;
}

static int slot_nanoseconds(lua_State *L) {
  runner_device *device = runner_check_device(L);
  SP_Timer timer = TIMER(2);
  if (!device->platform->abi.timer_nanoseconds) return runner_refuse_slot(L);
  compat_pushinteger(L, (int64_t)device->platform->abi.timer_nanoseconds(timer));
  return 1;
}

/* host_callback(stream, call) */
static int slot_host_callback(lua_State *L) {
  BEGIN(host_callback);
  SP_Stream stream = STREAM(2);
  runner_call *call = luaL_checkudata(L, 3, runner_call_class);
  (void)status;
  runner_call_enter(call);
  TF_Bool taken = executor->host_callback(self, stream, runner_call_run, call);
  runner_call_leave(call);
  if (!taken) return runner_failure(L, TF_INTERNAL, "host_callback returned false");
  lua_pushboolean(L, 1);
  return 1;
}

const luaL_Reg runner_work_slots[] = {SLOT(create_stream),
                                      SLOT(destroy_stream),
                                      SLOT(create_stream_dependency),
                                      SLOT(get_stream_status),
                                      SLOT(create_event),
                                      SLOT(destroy_event),
                                      SLOT(get_event_status),
                                      SLOT(record_event),
                                      SLOT(wait_for_event),
                                      SLOT(create_timer),
                                      SLOT(destroy_timer),
                                      SLOT(start_timer),
                                      SLOT(stop_timer),
                                      SLOT(nanoseconds),
                                      SLOT(block_host_for_event),
                                      SLOT(block_host_until_done),
                                      SLOT(synchronize_all_activity),
                                      SLOT(host_callback),
                                      {NULL, NULL}};

static void handle_class(lua_State *L, const char *class) {
  static const luaL_Reg methods[] = {
      {"__tostring", handle_text}, {"__eq", handle_equal}, {NULL, NULL}};
  runner_class(L, class, methods);
  luaL_getmetatable(L, class);
  lua_pushstring(L, class);
  lua_setfield(L, -2, "noun");
  lua_pop(L, 1);
}

void runner_open_work(lua_State *L) {
  handle_class(L, runner_stream_class);
  handle_class(L, runner_event_class);
  handle_class(L, runner_timer_class);
}
