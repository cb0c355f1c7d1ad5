/* The options of az, abfs and abfss. plugins/az/README.md explains them. */
#ifndef AZ_OPTIONS_H
#define AZ_OPTIONS_H

#include "../common/objects/options.h"

typedef enum az_option {
  AZ_ACCOUNT = OBJECTS_OPTIONS,
  AZ_ENDPOINT_SUFFIX,
  AZ_AUTHORITY_HOST,
  AZ_TENANT_ID,
  AZ_CLIENT_ID,
  AZ_FEDERATED_TOKEN_FILE,
  AZ_METADATA,
  AZ_ANONYMOUS,
  AZ_ACCESS_TIER,
  AZ_APPEND_BLOBS,
  AZ_CONNECTION_STRING, /* the secrets, in the order of az_secret */
  AZ_ACCOUNT_KEY,
  AZ_SAS_TOKEN,
  AZ_CLIENT_SECRET,
  AZ_OPTIONS
} az_option;

extern const option_table az_options;

#endif
