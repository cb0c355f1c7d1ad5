/* Which code of a status fits what a server or the network did. */
#ifndef NET_CODE_H
#define NET_CODE_H

#include <modfs/status.h>

#include "net.h"

/* For an HTTP status that is a failure; FAILED_PRECONDITION for those that nobody expects. */
TF_Code net_code_of_status(int status);

TF_Code net_code_of_error(net_error error);

#endif
