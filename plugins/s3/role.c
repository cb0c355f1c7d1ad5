/* Asking the Security Token Service, by a form that is sent with POST.
 *
 * AssumeRoleWithWebIdentity proves who asks by a token from a file, which whoever runs the machine renews;
 * AssumeRole by a signature. Form and response have secrets: both are on the stack and are wiped. A failure
 * tells the code of the service and none of its words, as these may repeat the token. */
#include "role.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/fail/fail.h"
#include "../common/net/code.h"
#include "../common/objects/form.h"
#include "../common/objects/send.h"
#include "error.h"
#include "issued.h"
#include "profile.h"
#include "sign.h"
#include "signed_request.h"

enum { TOKEN_SIZE = 20 * 1024, URL_SIZE = 512, LINE_SIZE = 640 };

static const char *action_of(const s3_role *role) {
  return role->token_file[0] ? "AssumeRoleWithWebIdentity" : "AssumeRole";
}

static bool add_token(objects_form *self, const char *file) {
  char token[TOKEN_SIZE];
  bool good = s3_profile_read_line(file, token, sizeof token) &&
              objects_form_add(self, "WebIdentityToken", token);
  explicit_bzero(token, sizeof token);
  return good;
}

/* Why there is no form; NULL when it is whole. */
static const char *fill(const s3_role *role, objects_form *self) {
  if (!objects_form_add(self, "Action", action_of(role)) ||
      !objects_form_add(self, "Version", "2011-06-15") ||
      !objects_form_add(self, "RoleArn", role->arn) ||
      !objects_form_add(self, "RoleSessionName", role->session[0] ? role->session : "modfs"))
    return "the role's settings are too long";
  if (role->token_file[0] && !add_token(self, role->token_file))
    return "the file of the web identity contains no token";
  return NULL;
}

static void make_url(const TF_Filesystem *filesystem, char url[URL_SIZE]) {
  const char *endpoint = remote_text(filesystem, S3_STS_ENDPOINT);
  const char *region = remote_text(filesystem, S3_REGION);
  bool china = strncmp(region, "cn-", 3) == 0;
  if (*endpoint)
    snprintf(url, URL_SIZE, "%s%s", endpoint, endpoint[strlen(endpoint) - 1] == '/' ? "" : "/");
  else
    snprintf(url, URL_SIZE, "https://sts.%s.amazonaws.com%s/", region, china ? ".cn" : "");
}

/* The headers of a request; those of a signature are wiped after it. */
typedef struct lines {
  char host[LINE_SIZE];
  char date[LINE_SIZE];
  char token[OPTION_SECRET_SIZE + 32];
  char authorization[S3_AUTHORIZATION_SIZE];
  const char *all[6];
} lines;

static bool sign(const TF_Filesystem *filesystem, const s3_role *role, const objects_form *body,
                 const char *url, lines *headers) {
  static const char type[] = "Content-Type: application/x-www-form-urlencoded";
  char now[S3_TIME_SIZE], hash[S3_HASH_SIZE];
  const char *host = strstr(url, "://") + 3;
  int count = 0;
  headers->all[count++] = type;
  if (!role->signer) return true;
  s3_signing_time(filesystem, now);
  snprintf(headers->host, sizeof headers->host, "Host: %.*s", (int)strcspn(host, "/"), host);
  snprintf(headers->date, sizeof headers->date, "X-Amz-Date: %s", now);
  snprintf(headers->token, sizeof headers->token, "X-Amz-Security-Token: %s", role->signer->token);
  headers->all[count++] = headers->host;
  headers->all[count++] = headers->date;
  if (role->signer->token[0]) headers->all[count++] = headers->token;
  const s3_signing signing = {.method = "POST",
                              .path = strchr(host, '/'),
                              .query = "",
                              .headers = headers->all,
                              .payload = hash,
                              .time = now,
                              .region = remote_text(filesystem, S3_REGION),
                              .service = "sts",
                              .key_id = role->signer->key_id,
                              .secret = role->signer->secret};
  bool good = s3_hash(body->text, body->length, hash) && s3_sign(&signing, headers->authorization);
  headers->all[count] = good ? headers->authorization : NULL;
  return good;
}

/* The text of the element of that name. */
static bool find(const char *page, const char *name, char *value, size_t size) {
  char opening[40];
  snprintf(opening, sizeof opening, "<%s>", name);
  const char *at = strstr(page, opening);
  if (!at) return false;
  at += strlen(opening);
  size_t n = strcspn(at, "<&");
  if (at[n] != '<' || n == 0 || n >= size) return false;
  memcpy(value, at, n);
  value[n] = '\0';
  return true;
}

static void fail(const s3_role *role, const net_answer *answer, const objects_reply *page,
                 TF_Status *status) {
  char text[400];
  s3_error error = {0};
  s3_error_parse(page->text, page->length, &error);
  bool answered = answer->status > 0 && answer->error == NET_OK;
  if (answered)
    snprintf(text, sizeof text, "%s: HTTP status %d%s%s", action_of(role), answer->status,
             error.code[0] ? ", " : ", but the response contains no credentials", error.code);
  else
    snprintf(text, sizeof text, "%s: %s", action_of(role), answer->text);
  TF_SetStatus(status, answered ? TF_UNAUTHENTICATED : net_code_of_error(answer->error), text);
}

static bool ask(const TF_Filesystem *filesystem, const s3_role *role, const objects_form *body,
                objects_reply *page, TF_Status *status) {
  char url[URL_SIZE];
  lines headers = {.all = {NULL}};
  const net_source source = {.length = body->length, .bytes = body->text};
  const net_settings settings = objects_settings(filesystem);
  make_url(filesystem, url);
  net_request request = {.method = "POST",
                         .url = url,
                         .headers = headers.all,
                         .source = &source,
                         .sink = objects_reply_sink(page),
                         .repeatable = true,
                         .deadline = objects_deadline(filesystem)};
  net_answer answer = {0};
  bool good = sign(filesystem, role, body, url, &headers);
  if (!good) fail_no_memory(status);
  if (good) {
    net_perform(remote_of(filesystem)->client, &settings, &request, &answer);
    good = answer.error == NET_OK && answer.status == 200 && strstr(page->text, "<SessionToken>");
    if (!good) fail(role, &answer, page, status);
  }
  explicit_bzero(&headers, sizeof headers);
  net_answer_end(&answer);
  return good;
}

static bool fetch(const TF_Filesystem *filesystem, const s3_role *role, const char *source,
                  s3_credentials *credentials, TF_Status *status) {
  objects_form body = {.length = 0};
  objects_reply page;
  char expiration[40] = "";
  const char *problem = fill(role, &body);
  if (problem) fail_without_credentials(status, problem);
  bool asked = !problem && ask(filesystem, role, &body, &page, status);
  bool good = asked && find(page.text, "AccessKeyId", credentials->key_id, OPTION_SECRET_SIZE) &&
              find(page.text, "SecretAccessKey", credentials->secret, OPTION_SECRET_SIZE) &&
              find(page.text, "SessionToken", credentials->token, OPTION_SECRET_SIZE);
  if (asked && !good)
    TF_SetStatus(status, TF_DATA_LOSS, "the response for the role contains no whole credentials");
  if (good) {
    find(page.text, "Expiration", expiration, sizeof expiration);
    s3_issued_keep(s3_filesystem_of(filesystem), source, credentials, s3_issued_end(expiration));
  }
  explicit_bzero(&page, sizeof page);
  explicit_bzero(&body, sizeof body);
  return good;
}

bool s3_role_take(const TF_Filesystem *filesystem, const s3_role *role, s3_credentials *credentials,
                  TF_Status *status) {
  char source[3 * S3_SETTING_SIZE + OPTION_SECRET_SIZE]; /* what makes two questions the same */
  snprintf(source, sizeof source, "%s\n%s\n%s\n%s", role->arn, role->session, role->token_file,
           role->signer ? role->signer->key_id : "");
  return s3_issued_take(s3_filesystem_of(filesystem), source, credentials) ||
         fetch(filesystem, role, source, credentials, status);
}
