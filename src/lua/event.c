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
  lua_pushstring(L, status_name(check_event(L, 1)->object.handle));
  return 1;
}

static int event_wait(lua_State *L) {
  modfs_event *self = check_event(L, 1)->object.handle;
  TF_Status *status = state_status(L);
  modfs_event_wait(self, status);
  return push_waited(L, status);
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
