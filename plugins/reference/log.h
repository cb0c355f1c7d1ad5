/* Messages where a call has no status to say them with. */
#ifndef REFERENCE_LOG_H
#define REFERENCE_LOG_H

#include <modfs/env.h>

/* By TF_Log where the host has it, as TensorFlow has up to 2.20; else to standard error. */
void reference_log(TF_LogLevel level, const char *format, ...) MODFS_PRINTF(2, 3);

#endif
