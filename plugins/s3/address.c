#include "address.h"

#include <stdio.h>
#include <string.h>

#include "error.h"

typedef struct endpoint {
  bool secure;
  char host[S3_ENDPOINT_SIZE]; /* with the port, unless it is the scheme's default */
  char path[S3_ENDPOINT_SIZE]; /* "" or "/base" */
  const char *domain;
} endpoint;

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

static void drop_port(char *host, const char *port) {
  size_t n = strlen(host), m = strlen(port);
  if (n > m && strcmp(host + n - m, port) == 0) host[n - m] = '\0';
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* The length of "host", "host:port" or "[address]:port"; 0 when it is malformed. */
static size_t host_length(const char *text) {
  size_t n = *text == '[' ? strspn(text, "[" DIGITS "abcdefABCDEF:.") : 0;
  if (n > 0 && text[n] != ']') return 0;
  n = n > 0 ? n + 1 : strspn(text, LETTERS DIGITS ".-");
  if (n == 0 || text[n] != ':') return n;
  size_t port = strspn(text + n + 1, DIGITS);
  return port > 0 && port < 6 ? n + 1 + port : 0;
}

static bool parse_endpoint(const char *text, endpoint *made) {
  made->secure = strncmp(text, "https://", 8) == 0;
  bool plain = strncmp(text, "http://", 7) == 0;
  const char *host = text + (made->secure ? 8 : 7);
  size_t n = made->secure || plain ? host_length(host) : 0;
  size_t rest = n > 0 && host[n] == '/' ? strspn(host + n, LETTERS DIGITS "-_.~/") : 0;
  if (n == 0 || host[n + rest] || strlen(text) >= S3_ENDPOINT_SIZE) return false;
  snprintf(made->host, sizeof made->host, "%.*s", (int)n, host);
  snprintf(made->path, sizeof made->path, "%s", host + n);
  drop_port(made->host, made->secure ? ":443" : ":80");
  for (n = strlen(made->path); n > 0 && made->path[n - 1] == '/'; n--)
    made->path[n - 1] = '\0';
  return true;
}

bool s3_address_is_endpoint(const char *text) {
  endpoint made = {.domain = NULL};
  return *text == '\0' || parse_endpoint(text, &made);
}

bool s3_address_is_region(const char *text) {
  return *text && strlen(text) < S3_REGION_SIZE &&
         text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_")] == '\0';
}

static void amazon(const char *region, endpoint *made) {
  bool china = strncmp(region, "cn-", 3) == 0;
  *made = (endpoint){.secure = true, .domain = china ? "amazonaws.com.cn" : "amazonaws.com"};
  snprintf(made->host, sizeof made->host, "s3.%s.amazonaws.com%s", region, china ? ".cn" : "");
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

static void put_together(const endpoint *to, const s3_request *request, bool in_host,
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
  endpoint to = {.domain = NULL};
  const char *text = remote_text(filesystem, OBJECTS_ENDPOINT);
  if (!s3_address_is_region(server->region))
    return refuse("option region is not a region such as eu-central-1", status);
  if (!*text)
    amazon(server->region, &to);
  else if (!parse_endpoint(text, &to)) /* never, for the option accepts no other */
    return refuse("option endpoint is not a URL", status);
  snprintf(address->domain, sizeof address->domain, "%s", to.domain ? to.domain : to.host);
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
