/* The message of a request that failed. */
#ifndef REMOTE_FAILURE_H
#define REMOTE_FAILURE_H

#include <modfs/status.h>
#include <stdarg.h>

/* Sets the code and the message "what: " with the formatted text. */
__attribute__((format(printf, 4, 0))) void remote_fail(TF_Status *status, TF_Code code,
                                                       const char *what, const char *format,
                                                       va_list arguments);

#endif
