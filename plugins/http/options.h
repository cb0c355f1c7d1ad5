/* The options of http and https. */
#ifndef HTTP_OPTIONS_H
#define HTTP_OPTIONS_H

#include "../common/options/options.h"

typedef enum http_option {
  HTTP_CONNECT_TIMEOUT_MS,
  HTTP_IDLE_TIMEOUT_MS,
  HTTP_TOTAL_TIMEOUT_MS,
  HTTP_RETRIES,
  HTTP_CACHE_BYTES,
  HTTP_WHOLE_BYTES,
  HTTP_CA_FILE,
  HTTP_USER_AGENT,
  HTTP_OPTIONS
} http_option;

extern const option_table http_options;

#endif
