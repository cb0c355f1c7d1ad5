#include "device.h"

static int enqueue_mark(lua_State *L, void (*mark)(modfs_timer *, modfs_stream *, TF_Status *)) {
  no_options(L, 3);
  const device_part *self = check_timer(L, 1);
  const device_part *stream = check_stream(L, 2);
  object_await(&self->object);
  object_await(&stream->object);
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

static void nanoseconds_run(operation *self, TF_Status *status) {
  self->n = modfs_timer_nanoseconds(self->handle, status);
}

static int nanoseconds_push(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  push_count(L, self->n);
  return 1;
}

static int timer_nanoseconds(lua_State *L) {
  no_options(L, 2);
  static const operation_kind kind = {nanoseconds_run, nanoseconds_push, NULL, true};
  device_part *self = check_timer(L, 1);
  return operation_perform_on(L, &self->object, &(operation){.kind = &kind});
}

static int timer_tostring(lua_State *L) {
  return part_tostring(L, &modfs_timer_class, NULL);
}

void modfs_lua_open_timer(lua_State *L) {
  class_new(L, &modfs_timer_class,
            FUNCTIONS({"start", timer_start}, {"stop", timer_stop},
                      {"nanoseconds", timer_nanoseconds}, {"close", object_close}),
            FUNCTIONS({"__tostring", timer_tostring}));
}
