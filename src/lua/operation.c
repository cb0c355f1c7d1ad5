#include "operation.h"

static void operation_end(void *block) {
  operation *self = block;
  if (self->kind) self->kind->fini(self);
}

/* What it makes must not be lost when pushing the results raises. */
static int perform_guarded(lua_State *L, const operation *call, TF_Status *status) {
  operation *self = guard_new(L, sizeof *self, operation_end);
  int guard = lua_gettop(L);
  if (call->object) handle_of(L, call->object); /* finalizers have run */
  *self = *call;
  self->kind->run(self, status);
  int results = self->kind->push(L, self, status);
  guard_end(L, guard);
  return results;
}

int operation_perform(lua_State *L, operation *self) {
  if (operation_is_deferred(L)) return job_defer(L, self);
  TF_Status *status = state_status(L);
  if (self->kind->fini) return perform_guarded(L, self, status);
  self->kind->run(self, status);
  return self->kind->push(L, self, status);
}
