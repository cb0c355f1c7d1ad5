/* What became of a request, as a status. */
#ifndef HTTP_ERROR_H
#define HTTP_ERROR_H

#include <modfs/status.h>

#include "../net/net.h"

/* Sets the code and "GET url: " with the words that follow. */
__attribute__((format(printf, 4, 5))) void http_fail(TF_Status *status, TF_Code code,
                                                     const char *url, const char *format, ...);

/* For an answer that brought no content: its HTTP status, or what the connection died of. */
void http_fail_answer(TF_Status *status, const char *url, const net_answer *answer);

void http_no_memory(TF_Status *status);

#endif
