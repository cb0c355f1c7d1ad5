/* Sends a request once, without retries. */
#ifndef NET_ATTEMPT_H
#define NET_ATTEMPT_H

#include "net.h"

void attempt_run(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer);

#endif
