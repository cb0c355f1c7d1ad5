/* Checks the head of a response and takes its body. */
#ifndef HTTP_RANGE_H
#define HTTP_RANGE_H

#include "fetch.h"

net_sink http_range_sink(http_fetch *fetch);

/* Whether everything arrived that the head announced. If not, fetch->code and why say the reason, unless
 * the answer itself has it: an HTTP status of 300 or above, or a failed transfer. */
bool http_range_complete(http_fetch *fetch, const net_answer *answer);

#endif
