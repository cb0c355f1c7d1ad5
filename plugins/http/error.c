#include "error.h"

#include <stdarg.h>
#include <stdio.h>

#include "../common/net/code.h"
#include "../common/remote/failure.h"

void http_fail(TF_Status *status, TF_Code code, const char *url, const char *format, ...) {
  char shown[512], what[520];
  va_list arguments;
  net_url_show(url, shown, sizeof shown);
  snprintf(what, sizeof what, "GET %s", shown);
  va_start(arguments, format);
  remote_fail(status, code, what, format, arguments);
  va_end(arguments);
}

void http_fail_answer(TF_Status *status, const char *url, const net_answer *answer) {
  char tries[NET_TRIES_SIZE];
  net_answer_tries(answer, tries);
  /* 410: it was there once. */
  TF_Code code = answer->status == 410 ? TF_NOT_FOUND : net_code_of_status(answer->status);
  if (answer->status >= 300)
    http_fail(status, code, url, "HTTP status %d%s", answer->status, tries);
  else
    http_fail(status, net_code_of_error(answer->error), url, "%s%s", answer->text, tries);
}
