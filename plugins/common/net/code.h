/* What a server or the network did, as a status. */
#ifndef NET_CODE_H
#define NET_CODE_H

#include <modfs/status.h>
#include <stdarg.h>

#include "net.h"

/* For an HTTP status that is a failure; FAILED_PRECONDITION for those that nobody expects. */
TF_Code net_code_of_status(int status);

TF_Code net_code_of_error(net_error error);

/* Sets the code and the message "what: " with the formatted text. */
__attribute__((format(printf, 4, 0))) void net_set_status(TF_Status *status, TF_Code code,
                                                          const char *what, const char *format,
                                                          va_list arguments);

#endif
