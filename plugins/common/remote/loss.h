/* Files that were dropped without close. */
#ifndef REMOTE_LOSS_H
#define REMOTE_LOSS_H

#include <modfs/status.h>

/* Logs that the content of a file could not be published, when nobody is left to be told. */
void remote_log_loss(const char *path, const TF_Status *status);

#endif
