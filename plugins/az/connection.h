/* Connection strings: "AccountName=...;AccountKey=...;EndpointSuffix=..." */
#ifndef AZ_CONNECTION_H
#define AZ_CONNECTION_H

#include "../common/options/options.h"
#include "endpoint.h"

/* What a connection string says; "" where it says nothing. */
typedef struct az_connection {
  char account[AZ_ACCOUNT_SIZE];
  char endpoint[NET_ENDPOINT_SIZE]; /* of the blob service */
  char key[OPTION_SECRET_SIZE];
  char sas[OPTION_SECRET_SIZE];
} az_connection;

/* NULL, or why it cannot be used, without a word of it. Owns: the caller wipes it, also on failure. */
const char *az_connection_parse(const char *text, az_connection *connection);

#endif
