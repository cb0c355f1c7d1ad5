#include "writing.h"

#include <unistd.h>

#include "../fail/fail.h"

bool store_writing_init(store_writing *self, TF_Status *status) {
  self->pid = getpid();
  self->failure = TF_NewStatus();
  return self->failure || fail_no_memory(status);
}

void store_writing_fini(store_writing *self) {
  TF_DeleteStatus(self->failure);
}

bool store_writing_is_inherited(const store_writing *self) {
  return self->pid != getpid();
}

bool store_writing_is_good(const store_writing *self) {
  return TF_GetCode(self->failure) == TF_OK;
}

bool store_writing_may_go_on(const store_writing *self, TF_Status *status) {
  if (store_writing_is_inherited(self))
    return fail_with(status, TF_FAILED_PRECONDITION,
                     "the file was opened before a fork; open it again in this process");
  if (store_writing_is_good(self)) return true;
  TF_SetStatus(status, TF_GetCode(self->failure), TF_Message(self->failure));
  return false;
}
