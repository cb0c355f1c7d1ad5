#include "error.h"

#include <stdarg.h>
#include <stdio.h>

void http_fail(TF_Status *status, TF_Code code, const char *url, const char *format, ...) {
  char shown[512], words[512], text[1100];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  net_url_show(url, shown, sizeof shown);
  snprintf(text, sizeof text, "GET %s: %s", shown, words);
  TF_SetStatus(status, code, text);
}

void http_no_memory(TF_Status *status) {
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static TF_Code code_of_status(int status) {
  switch (status) {
  case 401:
    return TF_UNAUTHENTICATED;
  case 403:
    return TF_PERMISSION_DENIED;
  case 404:
  case 410:
    return TF_NOT_FOUND;
  case 408:
  case 504:
    return TF_DEADLINE_EXCEEDED;
  case 412:
    return TF_ABORTED;
  case 416:
    return TF_OUT_OF_RANGE;
  case 429:
  case 500:
  case 502:
  case 503:
    return TF_UNAVAILABLE;
  default:
    return TF_FAILED_PRECONDITION;
  }
}

static TF_Code code_of_error(net_error error) {
  switch (error) {
  case NET_TIMEOUT:
    return TF_DEADLINE_EXCEEDED;
  case NET_UNTRUSTED:
    return TF_FAILED_PRECONDITION;
  case NET_SHORT:
    return TF_RESOURCE_EXHAUSTED;
  case NET_CUT:
    return TF_DATA_LOSS;
  case NET_UNABLE:
    return TF_FAILED_PRECONDITION;
  default:
    return TF_UNAVAILABLE;
  }
}

void http_fail_answer(TF_Status *status, const char *url, const net_answer *answer) {
  char tries[32] = "";
  if (answer->attempts > 1) snprintf(tries, sizeof tries, ", %d attempts", answer->attempts);
  if (answer->status >= 300)
    http_fail(status, code_of_status(answer->status), url, "HTTP status %d%s", answer->status,
              tries);
  else
    http_fail(status, code_of_error(answer->error), url, "%s%s", answer->text, tries);
}
