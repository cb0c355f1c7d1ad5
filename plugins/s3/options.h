/* The options of s3, which are the first of gs. plugins/s3/README.md explains them. */
#ifndef S3_OPTIONS_H
#define S3_OPTIONS_H

#include "../common/objects/options.h"

typedef enum s3_option {
  S3_SIGN_CONTENT = OBJECTS_OPTIONS,
  S3_CHECKSUM,
  S3_REQUEST_PAYER,
  S3_ANONYMOUS,
  S3_METADATA,
  S3_VERSIONS,
  S3_REGION,
  S3_ADDRESSING,
  S3_STORAGE_CLASS,
  S3_ENCRYPTION,
  S3_ENCRYPTION_KEY,
  S3_PROFILE,
  S3_CREDENTIALS_FILE,
  S3_CONFIG_FILE,
  S3_ROLE_ARN,
  S3_ROLE_SESSION_NAME,
  S3_WEB_IDENTITY_TOKEN_FILE,
  S3_STS_ENDPOINT,
  S3_TOKEN_FILE,
  S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY,
  S3_SESSION_TOKEN,
  S3_OPTIONS
} s3_option;

extern const option_table s3_options;

#endif
