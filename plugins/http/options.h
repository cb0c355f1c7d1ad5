/* The options of a filesystem. */
#ifndef HTTP_OPTIONS_H
#define HTTP_OPTIONS_H

#include <modfs/filesystem.h>

#include "../net/net.h"

typedef enum http_option {
  HTTP_CONNECT_TIMEOUT_MS,
  HTTP_IDLE_TIMEOUT_MS,
  HTTP_TOTAL_TIMEOUT_MS,
  HTTP_RETRIES,
  HTTP_CACHE_BYTES,
  HTTP_WHOLE_BYTES,
  HTTP_NUMBERS, /* how many; the texts follow */
  HTTP_CA_FILE = HTTP_NUMBERS,
  HTTP_USER_AGENT,
  HTTP_OPTIONS
} http_option;

enum { HTTP_TEXT_SIZE = 4096 };

/* Never changed once readers see it: a new one takes its place. */
typedef struct http_options {
  int64_t numbers[HTTP_NUMBERS];
  char texts[HTTP_OPTIONS - HTTP_NUMBERS][HTTP_TEXT_SIZE];
  struct http_options *before; /* kept, for a reader may still look at it */
} http_options;

/* The defaults, with what the environment says; NULL with a failure. */
http_options *http_options_new(TF_Status *status);
void http_options_free(http_options *options);

net_settings http_options_settings(const http_options *options);

void http_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                       TF_Filesystem_Option **options, int *num_options,
                                       TF_Status *status);
void http_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                       const TF_Filesystem_Option *options, int num_options,
                                       TF_Status *status);

#endif
