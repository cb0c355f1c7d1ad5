/* Checks the head of a response and takes its body. */
#ifndef HTTP_RANGE_H
#define HTTP_RANGE_H

#include "fetch.h"

/* Why the server has to be asked for the whole file: what this answer to a range lacks. NULL: the answer
 * is good, or the whole would not help. */
const char *http_range_lack(const http_fetch *fetch, const net_answer *answer);

net_sink http_range_sink(http_fetch *fetch);

/* Whether everything arrived that the head announced. If not, fetch->code and why say the reason, unless
 * the answer itself has it: an HTTP status of 300 or above, or a failed transfer. */
bool http_range_complete(http_fetch *fetch, const net_answer *answer);

#endif
