/* Threads that wait for a device while the case does something else. */
#include "device.h"
#include "check/runner/waiter.h"

static const char waiter_class[] = "modfs.runner.waiter";

static runner_waiter *check_waiter(lua_State *L) {
  return luaL_checkudata(L, 1, waiter_class);
}

static const char *const slots[] = {"block_host_for_event", "block_host_until_done",
                                    "synchronize_all_activity", NULL};

/* wait_aside(slot, stream or event) -> waiter: a thread that calls that slot */
static int slot_wait_aside(lua_State *L) {
  BEGIN(synchronize_all_activity);
  runner_wait_kind kind = (runner_wait_kind)luaL_checkoption(L, 2, NULL, slots);
  (void)self, (void)status;
  if (kind == RUNNER_WAIT_STREAM && !executor->block_host_until_done) return runner_refuse_slot(L);
  runner_waiter *waiter = runner_new(L, sizeof *waiter, waiter_class);
  waiter->device = device;
  waiter->kind = kind;
  if (kind == RUNNER_WAIT_STREAM) waiter->stream = STREAM(3);
  if (kind == RUNNER_WAIT_EVENT) waiter->event = EVENT(3);
  if (!runner_waiter_start(waiter)) return luaL_error(L, "no thread");
  return 1;
}

/* waiter:returned([seconds]) -> whether the slot has returned, or does so by then */
static int waiter_returned(lua_State *L) {
  lua_pushboolean(L, runner_waiter_await(check_waiter(L), luaL_optnumber(L, 2, 0)));
  return 1;
}

/* waiter:answer() -> what the slot answered, after it has returned */
static int waiter_answer(lua_State *L) {
  const runner_waiter *waiter = check_waiter(L);
  if (waiter->code != TF_OK) return runner_failure(L, waiter->code, waiter->message);
  lua_pushboolean(L, 1);
  return 1;
}

void runner_open_waiter(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"returned", waiter_returned}, {"answer", waiter_answer}, {NULL, NULL}};
  runner_class(L, waiter_class, methods);
}

const luaL_Reg runner_waiter_slots[] = {SLOT(wait_aside), {NULL, NULL}};
