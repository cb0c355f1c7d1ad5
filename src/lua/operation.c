#include "operation.h"

#include <stdlib.h>

#include "bytes.h"
#include "collect.h"

static void operation_end(void *block) {
  operation *self = block;
  if (self->kind) self->kind->fini(self);
}

bool operation_begins_anew(const operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED || self->object || self->once) return false;
  return self->kind->reads || descriptors_are_few();
}

void operation_clear(operation *self) {
  if (self->kind->fini) self->kind->fini(self);
  self->text = NULL;
  self->used = 0;
  self->made = NULL;
  self->names = (modfs_string_list){0};
}

/* Finalizers may close the Buffer that the data belongs to. */
static void run(lua_State *L, operation *self, TF_Status *status) {
  self->kind->run(self, status);
  if (!operation_begins_anew(self, status)) return;
  operation_clear(self);
  collect_for_retry(L, status);
  if (self->data_index) self->data = check_bytes(L, self->data_index, &self->length);
  self->kind->run(self, status);
}

/* What it makes must not be lost when pushing the results raises. */
static int perform_guarded(lua_State *L, const operation *call, TF_Status *status) {
  operation *self = guard_new(L, sizeof *self, operation_end);
  int guard = lua_gettop(L);
  if (call->object) handle_of(L, call->object); /* finalizers have run */
  *self = *call;
  run(L, self, status);
  int results = self->kind->push(L, self, status);
  guard_end(L, guard);
  return results;
}

int operation_perform(lua_State *L, operation *self) {
  if (operation_is_deferred(L)) return job_defer(L, self);
  TF_Status *status = state_status(L);
  if (self->kind->fini) return perform_guarded(L, self, status);
  run(L, self, status);
  return self->kind->push(L, self, status);
}

int operation_perform_path(lua_State *L, const operation_kind *kind) {
  const char *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  return fs ? operation_perform(L, &(operation){.kind = kind, .fs = fs, .path = path}) : 3;
}

int operation_perform_pair(lua_State *L, const path_pair *pair, operation *self) {
  self->fs = pair->from;
  self->path = pair->src;
  self->to = pair->to;
  self->dst = pair->dst;
  return operation_perform(L, self);
}

int operation_perform_on(lua_State *L, modfs_object *object, operation *self) {
  self->object = object;
  self->handle = object->handle;
  self->turn = OPERATION_ORDERED;
  return operation_perform(L, self);
}

/* Handles that are taken ------------------------------------------------------------ */

int operation_start_taking(lua_State *L, operation *self) {
  self->turn = OPERATION_EXCLUSIVE;
  self->made = self->object->handle;
  int results = job_defer(L, self);
  if (results == 0) self->object->handle = NULL;
  return results;
}

/* The Job keeps the object until its results are pushed. */
bool operation_give_back(operation *self) {
  if (!self->made) return false;
  self->object->handle = self->made;
  self->made = NULL;
  return true;
}

/* What is made ----------------------------------------------------------------------- */

void *operation_push_made(lua_State *L, operation *self) {
  modfs_object *object = object_new(L, self->class);
  object->handle = self->made;
  self->made = NULL;
  return object;
}

void operation_end_made(operation *self) {
  if (self->made) self->class->release(self->made);
  self->made = NULL;
}

void operation_end_text(operation *self) {
  free(self->text);
}

int operation_push_done(lua_State *L, operation *self, const TF_Status *status) {
  (void)self;
  return push_done(L, status);
}

int operation_push_text(lua_State *L, operation *self, const TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  lua_pushstring(L, self->text);
  return 1;
}
