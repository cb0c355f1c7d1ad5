/* What a path names: an account, a container in it, and a blob in that.
 *
 *   az://account/container/blob                        the bucket is "account/container"
 *   abfs://container@account.dfs.core.windows.net/blob the bucket is "container@account.dfs.core.windows.net"
 *   abfs://container/blob                              the bucket is "container", of the configured account
 *
 * So a bucket has the form of its scheme, and messages show the path as it was written. */
#ifndef AZ_PLACE_H
#define AZ_PLACE_H

#include "../common/objects/name.h"
#include "access.h"
#include "name.h"

typedef struct az_place {
  char account[AZ_ACCOUNT_SIZE]; /* "": the configured one */
  char container[OBJECTS_BUCKET_SIZE];
  char suffix
      [OBJECTS_BUCKET_SIZE]; /* domain of the cloud, "core.windows.net"; "": not in the path */
} az_place;

/* The slot take_bucket of a service. It refuses keys that the service would change: with "." or ".." between
 * slashes, or with U+FFFE or U+FFFF. */
bool az_take_bucket(const char *scheme, const char **rest, objects_name *name, TF_Status *status);

void az_place_of(const objects_name *name, az_place *place);

/* The address of a request. */
typedef struct az_address {
  bool secure;                                                           /* https */
  char host[NET_ENDPOINT_SIZE];                                          /* as in the Host header */
  char path[NET_ENDPOINT_SIZE + 3 * AZ_NAME_SIZE + OBJECTS_BUCKET_SIZE]; /* percent-encoded */
} az_address;

/* Where a request goes, and with what right. */
typedef struct az_target {
  az_address address;
  az_access access;
} az_target;

/* Fills in the address of a name's blob, or of its container or account. Owns: the caller wipes the access,
 * also on failure. */
bool az_target_make(const TF_Filesystem *filesystem, const objects_name *name, bool of_container,
                    az_target *target, TF_Status *status);

#endif
