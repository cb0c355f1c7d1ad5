#include "code.h"

TF_Code net_code_of_status(int status) {
  switch (status) {
  case 401:
    return TF_UNAUTHENTICATED;
  case 403:
    return TF_PERMISSION_DENIED;
  case 404:
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

TF_Code net_code_of_error(net_error error) {
  switch (error) {
  case NET_TIMEOUT:
    return TF_DEADLINE_EXCEEDED;
  case NET_UNTRUSTED:
  case NET_UNABLE:
    return TF_FAILED_PRECONDITION;
  case NET_SHORT:
    return TF_RESOURCE_EXHAUSTED;
  case NET_INTERRUPTED:
    return TF_CANCELLED;
  case NET_CUT:
    return TF_DATA_LOSS;
  default:
    return TF_UNAVAILABLE;
  }
}
