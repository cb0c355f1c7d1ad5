/* The options of s3 and gs. plugins/s3/README.md explains them. */
#ifndef S3_OPTIONS_H
#define S3_OPTIONS_H

#include "../common/options/options.h"

typedef enum s3_option {
  S3_CONNECT_TIMEOUT_MS,
  S3_IDLE_TIMEOUT_MS,
  S3_TOTAL_TIMEOUT_MS,
  S3_RETRIES,
  S3_CACHE_BYTES,
  S3_PART_BYTES,
  S3_PARALLEL,
  S3_COPY_BYTES,
  S3_SIGN_CONTENT,
  S3_CHECK_NAMES,
  S3_IF_NONE_MATCH,
  S3_REQUEST_PAYER,
  S3_ANONYMOUS,
  S3_METADATA,
  S3_ENDPOINT,
  S3_REGION,
  S3_ADDRESSING,
  S3_CA_FILE,
  S3_USER_AGENT,
  S3_STORAGE_CLASS,
  S3_ENCRYPTION,
  S3_ENCRYPTION_KEY,
  S3_PROFILE,
  S3_CREDENTIALS_FILE,
  S3_CONFIG_FILE,
  S3_TOKEN_FILE,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  S3_SESSION_TOKEN,
  S3_OPTIONS
} s3_option;

/* The tables of s3 and of gs. */
extern const option_table s3_options, s3_options_google;

#endif
