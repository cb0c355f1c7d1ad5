#include "batch.h"

#include <string.h>

void objects_batch_note(const objects_batch *batch, const TF_Status *status) {
  TF_Status *first = batch->counts->status;
  if (TF_GetCode(first) == TF_OK) TF_SetStatus(first, TF_GetCode(status), TF_Message(status));
}

void objects_batch_left(const objects_batch *batch, const char *key, const TF_Status *status) {
  size_t n = strlen(key);
  (*(n > 0 && key[n - 1] == '/' ? &batch->counts->directories : &batch->counts->files))++;
  if (status) objects_batch_note(batch, status);
}
