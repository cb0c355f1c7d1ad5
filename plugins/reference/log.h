/* Messages of calls that have no status. */
#ifndef REFERENCE_LOG_H
#define REFERENCE_LOG_H

#include <modfs/env.h>

/* Uses TF_Log where the host exports it, as TensorFlow does up to 2.20; else standard error. */
void reference_log(TF_LogLevel level, const char *format, ...) MODFS_PRINTF(2, 3);

#endif
