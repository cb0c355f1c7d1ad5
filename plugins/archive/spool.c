#include "spool.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

bool spool_put(spool *self, const char *bytes, size_t n, TF_Status *status) {
  if (n == 0) return true;
  if (!self->file && self->length + n <= SPOOL_IN_MEMORY) {
    size_t size = 4096;
    while (size < self->length + n)
      size *= 2;
    char *memory = realloc(self->memory, size);
    if (!memory) return fail_no_memory(status);
    self->memory = memory;
    memcpy(memory + self->length, bytes, n);
    self->length += n;
    return true;
  }
  if (!self->file) {
    if (!(self->file = base_spool(0, status))) return false;
    if (!base_append(self->file, self->memory, (size_t)self->length, status)) return false;
    free(self->memory);
    self->memory = NULL;
  }
  self->length += n;
  return base_append(self->file, bytes, n, status);
}

void spool_fini(spool *self) {
  free(self->memory);
  base_close(self->file);
  *self = (spool){.length = 0};
}
