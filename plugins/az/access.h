/* With what a request proves that it may be made: from the options, else the environment, else a token. */
#ifndef AZ_ACCESS_H
#define AZ_ACCESS_H

#include "endpoint.h"
#include "filesystem.h"

typedef enum az_kind { AZ_KIND_NONE, AZ_KIND_KEY, AZ_KIND_SAS, AZ_KIND_TOKEN } az_kind;

typedef struct az_access {
  az_kind kind;
  char account[AZ_ACCOUNT_SIZE];    /* of the request */
  char endpoint[NET_ENDPOINT_SIZE]; /* of that account's blob service */
  char
      secret[OPTION_SECRET_SIZE]; /* a key in base64, the words of a SAS, or a token; "" for none */
} az_access;

/* Reads the environment, once. */
bool az_access_init(az_filesystem *self, TF_Status *status);
void az_access_fini(az_filesystem *self);

/* Fills in what a request to an account needs; account "": the one that is configured. Owns: the caller,
 * az_access_wipe, also on failure. */
bool az_access_take(const TF_Filesystem *filesystem, const char *account, az_access *access,
                    TF_Status *status);
void az_access_wipe(az_access *access);

/* The account that the options name, which may be ""; false: they are in conflict, or the connection string
 * is malformed. */
bool az_access_account(const TF_Filesystem *filesystem, char account[AZ_ACCOUNT_SIZE],
                       TF_Status *status);

#endif
