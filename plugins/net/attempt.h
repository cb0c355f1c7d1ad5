/* One request sent once. */
#ifndef NET_ATTEMPT_H
#define NET_ATTEMPT_H

#include "net.h"

void attempt_run(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer);

/* Goes back to the first byte; false when the source cannot. NULL is allowed. */
bool attempt_rewind(const net_source *source);

#endif
