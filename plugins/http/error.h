/* Turns the outcome of a request into a status. */
#ifndef HTTP_ERROR_H
#define HTTP_ERROR_H

#include <modfs/status.h>

#include "../common/fail/fail.h"
#include "../common/net/net.h"

/* Sets the code and the message "GET url: " with the formatted text. */
__attribute__((format(printf, 4, 5))) void http_fail(TF_Status *status, TF_Code code,
                                                     const char *url, const char *format, ...);

/* Reports a response without content: its HTTP status, or why the transfer failed. */
void http_fail_answer(TF_Status *status, const char *url, const net_answer *answer);

#endif
