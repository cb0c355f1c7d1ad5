/* Tokens, and where they come from.
 *
 * An application asks its authority, by a form that is sent with POST and holds its secret or, for a
 * workload, the token in a file that its platform renews. A machine asks 169.254.169.254 for its own; the
 * status 410 means there that this service is being updated.
 *
 * State, in the filesystem: the secret `token`, the hash of the identity that it was issued to, and until
 * when it is used, five minutes before it expires. All three change together under the lock on secrets,
 * which is held for copies alone. There is one place: a process uses one identity at a time. Two threads
 * that find it expired both ask; the later one overwrites the other.
 *
 * Form and response are on the stack and are wiped; the caller wipes what it gets. A failure tells the error
 * code of the authority and none of its words, as these may repeat what was sent. Fork: a child starts with
 * a copy. */
#include "token.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/fail/fail.h"
#include "../common/net/code.h"
#include "../common/objects/flat.h"
#include "../common/objects/form.h"
#include "../common/objects/name.h"
#include "../common/objects/send.h"
#include "../common/options/secret.h"
#include "endpoint.h"

static const char machine[] =
    "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01&resource="
    "https%3A%2F%2Fstorage.azure.com%2F";

enum { FILE_SIZE = 16 * 1024, URL_SIZE = 1024, MACHINE_MS = 2000, EARLY = 300, SHORTEST = 30 };

/* The cache ------------------------------------------------------------------------------------ */

static uint64_t add_hash(uint64_t hash, const char *text) {
  do
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  while (*text++);
  return hash;
}

static uint64_t hash_of(const az_identity *identity) {
  uint64_t hash = add_hash(14695981039346656037u, identity->authority);
  hash = add_hash(add_hash(hash, identity->tenant), identity->client);
  return add_hash(add_hash(hash, identity->secret ? identity->secret : ""), identity->file);
}

static bool take_kept(az_filesystem *self, uint64_t identity, char *token) {
  secret_lock();
  bool good = self->token_for == identity && time(NULL) < self->token_end;
  if (good) secret_take(self->token, 0, 1, token);
  secret_unlock();
  return good;
}

static void keep(az_filesystem *self, uint64_t identity, const char *token, int64_t seconds) {
  int64_t left = seconds - EARLY;
  secret_lock();
  secret_place(self->token, 0, token, strlen(token));
  self->token_for = identity;
  self->token_end = time(NULL) + (left > SHORTEST ? left : SHORTEST);
  secret_unlock();
}

bool az_token_drop(const TF_Filesystem *filesystem, const char *token) {
  az_filesystem *self = az_filesystem_of(filesystem);
  secret_lock();
  bool same = self->token_end > 0 && strcmp(self->token, token) == 0;
  if (same) self->token_end = 0;
  secret_unlock();
  return same;
}

/* The response ----------------------------------------------------------------------------------- */

/* Whether it can stand in a header. */
static bool is_token(const char *text) {
  for (; *text; text++)
    if (!isgraph((unsigned char)*text)) return false;
  return true;
}

static bool read_token(const objects_reply *answer, char *token, int64_t *seconds) {
  char number[24] = "0";
  if (!objects_flat_find(answer->text, "access_token", token, OPTION_SECRET_SIZE) ||
      !is_token(token))
    return false;
  objects_flat_find(answer->text, "expires_in", number, sizeof number);
  *seconds = strtoll(number, NULL, 10);
  if (*seconds < 0 || *seconds > 7 * 86400) *seconds = 0;
  return true;
}

/* An error code has letters, digits and underscores; anything else is not shown. */
static void find_code(const objects_reply *answer, char code[64]) {
  if (!objects_flat_find(answer->text, "error", code, 64)) code[0] = '\0';
  for (const char *c = code; *c; c++)
    if (!isalnum((unsigned char)*c) && *c != '_') {
      code[0] = '\0';
      return;
    }
}

static bool fail(const net_answer *answer, const objects_reply *body, TF_Status *status) {
  char text[300], code[64];
  bool answered = answer->status > 0 && answer->error == NET_OK;
  find_code(body, code);
  if (answered)
    snprintf(text, sizeof text, "request of a token: HTTP status %d%s%s", answer->status,
             code[0] ? ", " : ", but the response contains no token", code);
  else
    snprintf(text, sizeof text, "request of a token: %s", answer->text);
  bool busy = answer->status == 410 || answer->status == 429 || answer->status >= 500;
  TF_SetStatus(status,
               !answered ? net_code_of_error(answer->error)
               : busy    ? TF_UNAVAILABLE
                         : TF_UNAUTHENTICATED,
               text);
  return false;
}

/* The request ------------------------------------------------------------------------------------ */

static bool add_file(objects_form *self, const char *name) {
  char token[FILE_SIZE] = "";
  FILE *file = fopen(name, "re");
  if (!file) return false;
  setvbuf(file, NULL, _IONBF, 0); /* no copy in a buffer that nobody wipes */
  size_t n = fread(token, 1, sizeof token - 1, file);
  fclose(file);
  while (n > 0 && isspace((unsigned char)token[n - 1]))
    token[--n] = '\0';
  bool good = n > 0 && is_token(token) && objects_form_add(self, "client_assertion", token);
  explicit_bzero(token, sizeof token);
  return good;
}

/* Why there is no form; NULL when it is whole. */
static const char *fill(const az_identity *identity, objects_form *self) {
  static const char type[] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
  if (!objects_form_add(self, "grant_type", "client_credentials") ||
      !objects_form_add(self, "client_id", identity->client) ||
      !objects_form_add(self, "scope", "https://storage.azure.com/.default"))
    return "the options tenant_id and client_id are too long";
  if (identity->secret)
    return objects_form_add(self, "client_secret", identity->secret)
               ? NULL
               : "the client secret is too long";
  return objects_form_add(self, "client_assertion_type", type) && add_file(self, identity->file)
             ? NULL
             : "the file of option federated_token_file contains no token";
}

static bool make_url(const az_identity *identity, char url[URL_SIZE]) {
  net_endpoint to;
  char tenant[400];
  if (!az_authority_parse(identity->authority, &to) || strlen(identity->tenant) >= 128)
    return false;
  objects_name_encode(identity->tenant, false, tenant, sizeof tenant);
  int n = snprintf(url, URL_SIZE, "%s://%s%s/%s/oauth2/v2.0/token", to.secure ? "https" : "http",
                   to.host, to.path, tenant);
  return n > 0 && n < URL_SIZE;
}

/* Sends the request, and reads the token of its response. */
static bool ask(const TF_Filesystem *filesystem, net_request *request, char *token,
                int64_t *seconds, TF_Status *status) {
  objects_reply body = {.length = 0};
  net_answer answer = {0};
  const net_settings settings = objects_settings(filesystem);
  request->sink = objects_reply_sink(&body);
  request->repeatable = true;
  net_perform(remote_of(filesystem)->client, &settings, request, &answer);
  bool good = answer.error == NET_OK && answer.status == 200 && read_token(&body, token, seconds);
  if (!good) fail(&answer, &body, status);
  net_answer_end(&answer);
  explicit_bzero(&body, sizeof body);
  return good;
}

static bool ask_authority(const TF_Filesystem *filesystem, const az_identity *identity, char *token,
                          int64_t *seconds, TF_Status *status) {
  static const char *const headers[] = {"Content-Type: application/x-www-form-urlencoded", NULL};
  objects_form body = {.length = 0};
  char url[URL_SIZE];
  const char *problem = fill(identity, &body);
  if (!problem && !make_url(identity, url)) problem = "option tenant_id is too long";
  const net_source source = {.length = body.length, .bytes = body.text};
  net_request request = {.method = "POST",
                         .url = url,
                         .headers = headers,
                         .source = &source,
                         .deadline = objects_deadline(filesystem)};
  if (problem) fail_without_credentials(status, problem);
  bool good = !problem && ask(filesystem, &request, token, seconds, status);
  explicit_bzero(&body, sizeof body);
  return good;
}

static bool ask_machine(const TF_Filesystem *filesystem, const az_identity *identity, char *token,
                        int64_t *seconds, TF_Status *status) {
  static const char *const headers[] = {"Metadata: true", NULL};
  char url[URL_SIZE], client[3 * 128];
  objects_name_encode(identity->client, false, client, sizeof client);
  snprintf(url, sizeof url, "%s%s%s", machine, *client ? "&client_id=" : "", client);
  net_request request = {.method = "GET",
                         .url = url,
                         .headers = headers,
                         .link_local = true,
                         .deadline = net_now() + MACHINE_MS};
  return ask(filesystem, &request, token, seconds, status);
}

bool az_token_take(const TF_Filesystem *filesystem, const az_identity *identity,
                   char token[OPTION_SECRET_SIZE], TF_Status *status) {
  az_filesystem *self = az_filesystem_of(filesystem);
  uint64_t hash = hash_of(identity);
  int64_t seconds = 0;
  if (take_kept(self, hash, token)) return true;
  bool is_application = identity->secret || *identity->file;
  bool good =
      (is_application ? ask_authority : ask_machine)(filesystem, identity, token, &seconds, status);
  if (good) keep(self, hash, token, seconds);
  return good;
}
