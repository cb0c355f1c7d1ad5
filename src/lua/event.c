#include "device.h"

static void event_release(void *handle) {
  modfs_event_close(handle);
}

const modfs_class modfs_event_class = {"modfs.Event", "event", "event", sizeof(device_part),
                                       event_release};

device_part *check_event(lua_State *L, int arg) {
  return check_object(L, arg, &modfs_event_class);
}

static void *open_event(modfs_device *device, uint64_t size, TF_Status *status) {
  (void)size;
  return modfs_event_open(device, status);
}

int device_event(lua_State *L) {
  check_device(L, 1);
  return part_push(L, &modfs_event_class, open_event, 0);
}

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
  int results = push_done(L, status);
  callbacks_run(L);
  return results;
}

static int event_close(lua_State *L) {
  return object_close(L, &check_event(L, 1)->object);
}

static int event_tostring(lua_State *L) {
  const device_part *self = check_self(L, &modfs_event_class);
  const char *status = self->object.handle != NULL ? status_name(self->object.handle) : NULL;
  return part_tostring(L, &modfs_event_class, status);
}

void modfs_lua_open_event(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"status", event_status}, {"wait", event_wait}, {"close", event_close}, {NULL, NULL}};
  static const luaL_Reg metamethods[] = {{"__tostring", event_tostring}, {NULL, NULL}};
  class_new(L, &modfs_event_class, methods, metamethods);
}
