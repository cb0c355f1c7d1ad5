#include "device.h"

static void timer_release(void *handle) {
  modfs_timer_close(handle);
}

const modfs_class modfs_timer_class = {"modfs.Timer", "timer", "timer", sizeof(device_part),
                                       timer_release};

static device_part *timer_here(lua_State *L) {
  return check_object(L, 1, &modfs_timer_class);
}

static void *open_timer(modfs_device *device, uint64_t size, TF_Status *status) {
  (void)size;
  return modfs_timer_open(device, status);
}

int device_timer(lua_State *L) {
  check_device(L, 1);
  return part_push(L, &modfs_timer_class, open_timer, 0);
}

static int enqueue_mark(lua_State *L, void (*mark)(modfs_timer *, modfs_stream *, TF_Status *)) {
  const device_part *self = timer_here(L);
  const device_part *stream = check_stream(L, 2);
  if (!check_same_device(L, self, stream, "stream")) return 3;
  TF_Status *status = state_status(L);
  mark(self->object.handle, stream->object.handle, status);
  return push_done(L, status);
}

static int timer_start(lua_State *L) {
  return enqueue_mark(L, modfs_timer_start);
}

static int timer_stop(lua_State *L) {
  return enqueue_mark(L, modfs_timer_stop);
}

static int timer_nanoseconds(lua_State *L) {
  modfs_timer *self = timer_here(L)->object.handle;
  TF_Status *status = state_status(L);
  uint64_t elapsed = modfs_timer_nanoseconds(self, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_count(L, elapsed);
  return 1;
}

static int timer_close(lua_State *L) {
  return object_close(L, &timer_here(L)->object);
}

static int timer_tostring(lua_State *L) {
  return part_tostring(L, &modfs_timer_class, NULL);
}

void modfs_lua_open_timer(lua_State *L) {
  static const luaL_Reg methods[] = {{"start", timer_start},
                                     {"stop", timer_stop},
                                     {"nanoseconds", timer_nanoseconds},
                                     {"close", timer_close},
                                     {NULL, NULL}};
  static const luaL_Reg metamethods[] = {{"__tostring", timer_tostring}, {NULL, NULL}};
  class_new(L, &modfs_timer_class, methods, metamethods);
}
