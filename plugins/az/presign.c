#include "presign.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/objects/presign.h"
#include "../common/remote/format.h"
#include "request.h"

enum { TIME_SIZE = 32 };

/* The lines that a service SAS signs, in the order of their version: permissions, start, expiry, resource,
 * identifier, addresses, protocol, version, kind, snapshot, encryption scope, five headers. */
static char *make_text(const objects_name *name, const az_access *access, const char *permissions,
                       const char *expiry, bool secure) {
  az_place place;
  char key[AZ_NAME_SIZE];
  az_place_of(name, &place);
  az_name_write(name->key, key);
  return remote_format("%s\n\n%s\n/blob/%s/%s/%s\n\n\n%s\n%s\nb\n\n\n\n\n\n\n", permissions, expiry,
                       access->account, place.container, key, secure ? "https" : "https,http",
                       AZ_VERSION);
}

/* NULL without memory, or for a key that is not base64. */
static char *make_url(const objects_name *name, const az_address *address, const az_access *access,
                      const char *permissions, const char *expiry) {
  char signature[AZ_SIGNATURE_SIZE];
  char *text = make_text(name, access, permissions, expiry, address->secure), *query = NULL;
  if (text && az_hmac(access->secret, text, signature)) {
    const az_pair pairs[] = {{"sv", AZ_VERSION},  {"spr", address->secure ? "https" : "https,http"},
                             {"se", expiry},      {"sr", "b"},
                             {"sp", permissions}, {"sig", signature},
                             {NULL, NULL}};
    query = az_query_make(pairs);
  }
  char *url = query ? remote_format("%s://%s%s?%s", address->secure ? "https" : "http",
                                    address->host, address->path, query)
                    : NULL;
  free(text);
  free(query);
  return url;
}

static void make_expiry(const TF_Filesystem *filesystem, uint64_t seconds, char text[TIME_SIZE]) {
  struct tm parts = {.tm_year = 0};
  time_t then =
      time(NULL) + (time_t)atomic_load(&az_filesystem_of(filesystem)->clock) + (time_t)seconds;
  gmtime_r(&then, &parts);
  strftime(text, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

static char *presign(const TF_Filesystem *filesystem, const objects_name *name, bool writes,
                     uint64_t seconds, TF_Status *status) {
  char expiry[TIME_SIZE], *url = NULL;
  az_target to;
  make_expiry(filesystem, seconds, expiry);
  if (az_target_make(filesystem, name, false, &to, status)) {
    if (to.access.kind == AZ_KIND_KEY)
      url = make_url(name, &to.address, &to.access, writes ? "cw" : "r", expiry);
    else
      TF_SetStatus(status, TF_FAILED_PRECONDITION,
                   "a URL can be signed with the key of the account only");
    if (!url && TF_GetCode(status) == TF_OK && az_is_key(to.access.secret))
      fail_no_memory(status);
    else if (!url && TF_GetCode(status) == TF_OK)
      TF_SetStatus(status, TF_UNAUTHENTICATED, "the key of the account is not base64");
  }
  az_access_wipe(&to.access);
  return url;
}

char *az_presign(const TF_Filesystem *filesystem, const char *path, const char *method,
                 uint64_t seconds, TF_Status *status) {
  objects_name name;
  if (objects_presign_check(method, seconds, status) &&
      objects_name_parse_file(filesystem, path, &name, status))
    return presign(filesystem, &name, strcmp(method, "PUT") == 0, seconds, status);
  return NULL;
}
