#include "address.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

bool s3_address_is_endpoint(const char *text) {
  net_endpoint made;
  return *text == '\0' || net_endpoint_parse(text, &made);
}

bool s3_address_is_region(const char *text) {
  return *text && strlen(text) < S3_REGION_SIZE &&
         text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

/* Amazon's server of a region, and the domain that redirects must stay in. */
static const char *amazon(const char *region, net_endpoint *made) {
  bool china = strncmp(region, "cn-", 3) == 0;
  *made = (net_endpoint){.secure = true};
  snprintf(made->host, sizeof made->host, "s3.%s.amazonaws.com%s", region, china ? ".cn" : "");
  return china ? "amazonaws.com.cn" : "amazonaws.com";
}

/* A certificate for *.host does not cover a bucket with dots in its name. */
static bool is_virtual(const TF_Filesystem *filesystem, const objects_name *name) {
  const char *addressing = remote_text(filesystem, S3_ADDRESSING);
  if (strcmp(addressing, "virtual") == 0) return true;
  return strcmp(addressing, "auto") == 0 && !*remote_text(filesystem, OBJECTS_ENDPOINT) &&
         !strchr(name->bucket, '.');
}

/* Whether the host already contains the bucket. */
static bool begins_with_bucket(const char *host, const objects_name *name) {
  size_t n = strlen(name->bucket);
  return n > 0 && strncmp(host, name->bucket, n) == 0 && host[n] == '.';
}

static void put_together(const net_endpoint *to, const s3_request *request, bool in_host,
                         s3_address *address) {
  const objects_name *name = request->name;
  char key[OBJECTS_ENCODED_SIZE] = "";
  bool add = in_host && !begins_with_bucket(to->host, name);
  if (!request->of_bucket) objects_name_encode(name->key, true, key, sizeof key);
  address->secure = to->secure;
  snprintf(address->host, sizeof address->host, "%s%s%s", add ? name->bucket : "", add ? "." : "",
           to->host);
  snprintf(address->path, sizeof address->path, "%s%s%s/%s", to->path,
           in_host || !name->bucket[0] ? "" : "/", in_host ? "" : name->bucket, key);
}

bool s3_address_move(const TF_Filesystem *filesystem, const s3_request *request,
                     const s3_server *server, s3_address *address, TF_Status *status) {
  const objects_name *name = request->name;
  net_endpoint to;
  const char *text = remote_text(filesystem, OBJECTS_ENDPOINT), *domain = to.host;
  if (!s3_address_is_region(server->region))
    return refuse("option region is not a region such as eu-central-1", status);
  if (!*text)
    domain = amazon(server->region, &to);
  else if (!net_endpoint_parse(text, &to)) /* never, for the option accepts no other */
    return refuse("option endpoint is not a URL", status);
  snprintf(address->domain, sizeof address->domain, "%s", domain);
  snprintf(address->region, sizeof address->region, "%s", server->region);
  bool in_host = name->bucket[0] && is_virtual(filesystem, name);
  if (server->host) {
    snprintf(to.host, sizeof to.host, "%s", server->host);
    in_host = begins_with_bucket(server->host, name);
  }
  put_together(&to, request, in_host, address);
  return true;
}

bool s3_address_make(const TF_Filesystem *filesystem, const s3_request *request,
                     s3_address *address, TF_Status *status) {
  const char *found =
      s3_bucket_regions_find(&s3_filesystem_of(filesystem)->bucket_regions, request->name->bucket);
  const s3_server server = {.region = found ? found : remote_text(filesystem, S3_REGION)};
  return s3_address_move(filesystem, request, &server, address, status);
}
