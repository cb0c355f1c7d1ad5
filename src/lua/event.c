#include "device.h"

static const char *status_name(modfs_event *event) {
  switch (modfs_event_status(event)) {
  case SE_EVENT_ERROR:
    return "error";
  case SE_EVENT_PENDING:
    return "pending";
  case SE_EVENT_COMPLETE:
    return "complete";
  default:
    return "unknown";
  }
}

static int event_status(lua_State *L) {
  no_options(L, 2);
  lua_pushstring(L, status_name(check_event(L, 1)->object.handle));
  return 1;
}

static void wait_run(operation *self, TF_Status *status) {
  modfs_event_wait(self->handle, status);
}

static int event_wait(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {wait_run, push_waiting, NULL, true};
  device_part *self = check_event(L, 1);
  modfs_state *state = state_here(L);
  if (state_is_deferred(L, state))
    return operation_perform_on(L, &self->object, &(operation){.kind = &kind});
  modfs_event_wait(handle_of(L, self), state->status);
  return push_waited(L, state->status);
}

static int event_tostring(lua_State *L) {
  const device_part *self = check_self(L, &modfs_event_class);
  const char *status = self->object.handle != NULL ? status_name(self->object.handle) : NULL;
  return part_tostring(L, &modfs_event_class, status);
}

void modfs_lua_open_event(lua_State *L) {
  class_new(L, &modfs_event_class,
            FUNCTIONS({"status", event_status}, {"wait", event_wait}, {"close", object_close}),
            FUNCTIONS({"__tostring", event_tostring}));
}
