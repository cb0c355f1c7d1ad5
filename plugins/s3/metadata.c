/* Credentials of the machine, from the cloud's metadata service.
 *
 * State: the secrets `metadata` and the time metadata_end until which they are used; both belong to the
 * filesystem. The secrets are written together under the lock on secrets, metadata_end after them.
 *
 * Two threads that find them expired both fetch; the later one overwrites the other. No lock is held
 * during a request. Pages and headers are on the stack and are wiped; the caller wipes what it gets.
 * Fork: a child starts with a copy of the cache. */
#include "metadata.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../common/options/secret.h"

#define PLACE "http://169.254.169.254/latest/"
#define ROLES PLACE "meta-data/iam/security-credentials/"

enum {
  TIMEOUT_MS = 1000,
  PAGE_SIZE = 32 * 1024,
  ROLE_SIZE = 128,
  TOKEN_SIZE = 900,
  EARLY = 300,
  SHORTEST = 60
};

typedef struct metadata_page {
  size_t length;
  char text[PAGE_SIZE];
} metadata_page;

static bool begin(void *state, const net_answer *answer) {
  metadata_page *self = state;
  self->length = 0;
  return answer->status == 200;
}

static bool take(void *state, const char *bytes, size_t n) {
  metadata_page *self = state;
  if (n >= PAGE_SIZE - self->length) return false;
  memcpy(self->text + self->length, bytes, n);
  self->length += n;
  self->text[self->length] = '\0';
  return true;
}

static bool ask(const TF_Filesystem *filesystem, const char *method, const char *url,
                const char *header, metadata_page *page) {
  const char *const headers[] = {header, NULL};
  const net_source nothing = {.length = 0, .bytes = ""};
  const net_settings settings = {.connect_ms = TIMEOUT_MS,
                                 .idle_ms = TIMEOUT_MS,
                                 .ca_file = "",
                                 .user_agent = remote_text(filesystem, S3_USER_AGENT)};
  const net_request request = {.method = method,
                               .url = url,
                               .headers = headers,
                               .source = strcmp(method, "PUT") == 0 ? &nothing : NULL,
                               .sink = {.begin = begin, .write = take, .state = page},
                               .link_local = true,
                               .deadline = net_now() + TIMEOUT_MS};
  net_answer answer = {0};
  page->text[0] = '\0';
  net_perform(remote_of(filesystem)->client, &settings, &request, &answer);
  bool good = answer.error == NET_OK && answer.status == 200;
  net_answer_end(&answer);
  return good;
}

/* The string value of "name" in a JSON object whose strings contain no quotes; false: not found. */
static bool find(const char *json, const char *name, char *value, size_t size) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "\"%s\"", name);
  const char *at = strstr(json, quoted);
  if (!at) return false;
  at += strlen(quoted);
  at += strspn(at, " \t\r\n:");
  if (*at++ != '"') return false;
  size_t n = strcspn(at, "\"\\");
  if (at[n] != '"' || n == 0 || n >= size) return false;
  memcpy(value, at, n);
  value[n] = '\0';
  return true;
}

/* When to replace the credentials; soon, where the service names no time. */
static int64_t parse_end(const char *json) {
  char text[40];
  struct tm parts = {0};
  int64_t now = time(NULL);
  if (!find(json, "Expiration", text, sizeof text) || !strptime(text, "%Y-%m-%dT%H:%M:%S", &parts))
    return now + SHORTEST;
  int64_t end = (int64_t)timegm(&parts) - EARLY;
  return end > now + SHORTEST ? end : now + SHORTEST;
}

static bool ask_all(const TF_Filesystem *filesystem, metadata_page *page, char *header,
                    size_t size) {
  char url[sizeof ROLES + ROLE_SIZE];
  if (!ask(filesystem, "PUT", PLACE "api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600",
           page) ||
      page->text[strcspn(page->text, "\r\n")] || !page->text[0] || page->length >= TOKEN_SIZE)
    return false;
  snprintf(header, size, "X-aws-ec2-metadata-token: %.*s", TOKEN_SIZE, page->text);
  if (!ask(filesystem, "GET", ROLES, header, page)) return false;
  page->text[strcspn(page->text, "\r\n")] = '\0';
  if (!page->text[0] || strlen(page->text) >= ROLE_SIZE) return false;
  snprintf(url, sizeof url, "%s%.*s", ROLES, ROLE_SIZE - 1, page->text);
  return !net_url_problem(url) && ask(filesystem, "GET", url, header, page);
}

static void keep(char *secrets, const s3_credentials *credentials) {
  secret_lock();
  secret_place(secrets, 0, credentials->key_id, strlen(credentials->key_id));
  secret_place(secrets, 1, credentials->secret, strlen(credentials->secret));
  secret_place(secrets, 2, credentials->token, strlen(credentials->token));
  secret_unlock();
}

static bool fetch(const TF_Filesystem *filesystem, s3_credentials *credentials) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  metadata_page page;
  char header[1024];
  bool good = ask_all(filesystem, &page, header, sizeof header) &&
              find(page.text, "AccessKeyId", credentials->key_id, OPTION_SECRET_SIZE) &&
              find(page.text, "SecretAccessKey", credentials->secret, OPTION_SECRET_SIZE) &&
              find(page.text, "Token", credentials->token, OPTION_SECRET_SIZE);
  if (good) {
    keep(self->metadata, credentials);
    atomic_store(&self->metadata_end, parse_end(page.text));
  }
  explicit_bzero(&page, sizeof page);
  explicit_bzero(header, sizeof header);
  return good;
}

bool s3_metadata_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                      TF_Status *status) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  if (time(NULL) < atomic_load(&self->metadata_end)) {
    secret_copy(self->metadata, 0, S3_SECRETS, (char *)credentials);
    return true;
  }
  if (fetch(filesystem, credentials)) return true;
  TF_SetStatus(status, TF_UNAUTHENTICATED,
               "option metadata is set, but the address 169.254.169.254 gives no credentials");
  return false;
}
