#include "loss.h"

#include <modfs/env.h>
#include <stdio.h>

/* TensorFlow 2.21 does not export it. */
#pragma weak TF_Log

void remote_log_loss(const char *path, const TF_Status *status) {
  static const char form[] = "%s: not closed, content discarded: %s";
  if (TF_Log)
    TF_Log(TF_ERROR, form, path, TF_Message(status));
  else
    fprintf(stderr, "%s: not closed, content discarded: %s\n", path, TF_Message(status));
}
