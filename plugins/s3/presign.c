#include "presign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/objects/presign.h"
#include "../common/remote/format.h"
#include "credentials.h"
#include "sign.h"
#include "signed_request.h"
#include "version.h"

enum { HOST_LINE = S3_HOST_SIZE + 8 };

/* Signs the query and adds the signature at its end; NULL without memory. */
static char *make_url(const s3_address *address, s3_signing *signing, const char *query) {
  char line[HOST_LINE], signature[S3_HASH_SIZE];
  const char *const headers[] = {line, NULL};
  snprintf(line, sizeof line, "Host: %s", address->host);
  signing->query = query;
  signing->headers = headers;
  return query && s3_sign_bare(signing, signature)
             ? remote_format("%s://%s%s?%s&X-Amz-Signature=%s", address->secure ? "https" : "http",
                             address->host, address->path, query, signature)
             : NULL;
}

/* version: the pair that names one, or NULL. NULL without memory. */
static char *sign(const s3_address *address, s3_signing *signing, const s3_credentials *credentials,
                  const s3_pair *version, uint64_t seconds) {
  char expires[24], scope[S3_SCOPE_SIZE];
  signing->key_id = credentials->key_id;
  signing->secret = credentials->secret;
  snprintf(expires, sizeof expires, "%" PRIu64, seconds);
  char *who =
      s3_sign_scope(signing, scope) ? remote_format("%s/%s", credentials->key_id, scope) : NULL;
  s3_pair pairs[8] = {{"X-Amz-Algorithm", "AWS4-HMAC-SHA256"},
                      {"X-Amz-Credential", who},
                      {"X-Amz-Date", signing->time},
                      {"X-Amz-Expires", expires},
                      {"X-Amz-SignedHeaders", "host"}};
  int count = 5;
  if (*credentials->token) pairs[count++] = (s3_pair){"X-Amz-Security-Token", credentials->token};
  if (version) pairs[count++] = *version;
  char *query = who ? s3_query_make(pairs) : NULL;
  char *url = make_url(address, signing, query);
  free(query);
  free(who);
  return url;
}

static char *presign(const TF_Filesystem *filesystem, const objects_name *name, const char *method,
                     uint64_t seconds, TF_Status *status) {
  char now[S3_TIME_SIZE], *url = NULL;
  s3_address address;
  s3_credentials credentials;
  s3_version version;
  s3_version_take(filesystem, name, &version);
  const s3_request request = {.operation = "presign", .method = method, .name = version.name};
  if (!s3_address_make(filesystem, &request, &address, status)) return NULL;
  s3_signing_time(filesystem, now);
  s3_signing signing = {.method = method,
                        .path = address.path,
                        .payload = S3_UNSIGNED,
                        .time = now,
                        .region = address.region,
                        .service = "s3"};
  if (s3_credentials_take(filesystem, &credentials, status)) {
    url = sign(&address, &signing, &credentials, version.query, seconds);
    if (!url) fail_no_memory(status);
  }
  s3_credentials_wipe(&credentials);
  return url;
}

char *s3_presign(const TF_Filesystem *filesystem, const char *path, const char *method,
                 uint64_t seconds, TF_Status *status) {
  objects_name name;
  if (!objects_presign_check(method, seconds, status)) return NULL;
  if (remote_number(filesystem, S3_ANONYMOUS))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "option anonymous is set: nothing is signed");
  else if (objects_name_parse_file(filesystem, path, &name, status) &&
           (strcmp(method, "GET") == 0 || s3_version_is_present(filesystem, &name, status)))
    return presign(filesystem, &name, method, seconds, status);
  return NULL;
}
