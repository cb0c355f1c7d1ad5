#include "redirect.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LOCATION_SIZE = 4096 };

static bool ends_in_domain(const char *host, const char *domain) {
  size_t n = strlen(host), m = strlen(domain);
  if (m == 0 || n < m || strcasecmp(host + n - m, domain) != 0) return false;
  return n == m || host[n - m - 1] == '.';
}

/* The host of a URL; false when its scheme is not the one in use. */
static bool take_host(const char *url, bool secure, char *host, size_t size) {
  const char *scheme = secure ? "https://" : "http://";
  size_t n = strlen(scheme);
  if (strncmp(url, scheme, n) != 0) return false;
  size_t length = strcspn(url + n, "/?#");
  if (length == 0 || length >= size || memchr(url + n, '@', length)) return false;
  memcpy(host, url + n, length);
  host[length] = '\0';
  return true;
}

static bool move(const TF_Filesystem *filesystem, const s3_request *request,
                 const s3_server *server, s3_address *address) {
  TF_Status *status = TF_NewStatus();
  bool good = status && s3_address_move(filesystem, request, server, address, status);
  TF_DeleteStatus(status);
  return good;
}

/* A temporary redirect to another host: nothing is remembered. */
static bool to_host(const TF_Filesystem *filesystem, const s3_request *request,
                    const s3_answer *answer, s3_address *address) {
  char location[LOCATION_SIZE], host[S3_HOST_SIZE];
  const s3_server server = {address->region, host};
  return net_answer_header(&answer->head, "Location", location, sizeof location) &&
         take_host(location, address->secure, host, sizeof host) &&
         ends_in_domain(host, address->domain) && strcasecmp(host, address->host) != 0 &&
         move(filesystem, request, &server, address);
}

static bool to_region(const TF_Filesystem *filesystem, const s3_request *request,
                      const s3_answer *answer, s3_address *address) {
  char region[S3_REGION_SIZE] = "";
  const s3_server server = {.region = region};
  if (!net_answer_header(&answer->head, "x-amz-bucket-region", region, sizeof region))
    snprintf(region, sizeof region, "%s", answer->error.region);
  if (!request->name->bucket[0] || !s3_address_is_region(region) ||
      strcmp(region, address->region) == 0)
    return false;
  bool good = move(filesystem, request, &server, address);
  if (good)
    s3_bucket_regions_add(&s3_filesystem_of(filesystem)->bucket_regions, request->name->bucket,
                          address->region);
  return good;
}

bool s3_redirect(const TF_Filesystem *filesystem, const s3_request *request,
                 const s3_answer *answer, s3_address *address) {
  switch (answer->head.status) {
  case 301:
  case 400:
  case 403:
    return to_region(filesystem, request, answer, address);
  case 302:
  case 307:
  case 308:
    return to_host(filesystem, request, answer, address);
  default:
    return false;
  }
}
