/* Judging the head of an answer, and taking its body. */
#ifndef HTTP_RANGE_H
#define HTTP_RANGE_H

#include "fetch.h"

net_sink http_range_sink(http_fetch *fetch);

/* Whether all that the head promised is there; else fetch->code and why are set. */
bool http_range_complete(http_fetch *fetch, const net_answer *answer);

#endif
