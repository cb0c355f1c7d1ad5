#include "writing.h"

#include <stdlib.h>
#include <unistd.h>

#include "../fail/fail.h"

void *store_writing_new(size_t size, TF_Status *status) {
  TF_Status *failure = TF_NewStatus();
  store_writing *self = failure ? calloc(1, size) : NULL;
  if (self) {
    *self = (store_writing){failure, getpid()};
  } else {
    TF_DeleteStatus(failure);
    fail_no_memory(status);
  }
  return self;
}

void store_writing_free(store_writing *self) {
  TF_DeleteStatus(self->failure);
  free(self);
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
