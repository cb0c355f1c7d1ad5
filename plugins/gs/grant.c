/* Requests of access tokens.
 *
 * A request and its response hold secrets: assertion, refresh token, client secret, access token. Each lies in
 * a buffer on the stack, which is wiped whatever happens; curl wipes its own copies (net/memory.c). Of a
 * response that is a failure, the message takes the error's code and, if it is plain words, its description:
 * a server may put into it what it was sent.
 *
 * A token server is asked over https; over http only on this machine. It is asked again as often as any
 * server (net), as every request gives a token of its own. There is no shared state here. */
#include "grant.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../common/net/code.h"
#include "../common/objects/form.h"
#include "../common/objects/server_clock.h"
#include "../common/objects/send.h"
#include "address.h"
#include "../common/objects/flat.h"
#include "jwt.h"

enum { HOUR = 3600, LIMIT_MS = 60000, MACHINE_MS = 3000, TOKEN_SIZE = 8192 };

/* One exchange with a token server. */
typedef struct exchange {
  const TF_Filesystem *filesystem;
  const char *who; /* is asked, for messages */
  net_answer answer;
  objects_reply page;
} exchange;

static bool fail(TF_Status *status, TF_Code code, const char *who, const char *what,
                 const char *more) {
  char text[1100];
  snprintf(text, sizeof text, "no access token from %.550s: %.150s%.300s", who, what, more);
  TF_SetStatus(status, code, text);
  return false;
}

static void send(exchange *self, net_request *request, int64_t limit_ms) {
  const TF_Filesystem *filesystem = self->filesystem;
  net_settings settings = objects_settings(filesystem);
  if (settings.idle_ms > limit_ms) settings.idle_ms = limit_ms;
  int64_t most = objects_deadline(filesystem), now = net_now();
  request->sink = objects_reply_sink(&self->page);
  request->repeatable = true;
  request->deadline = most < now + limit_ms ? most : now + limit_ms;
  net_perform(remote_of(filesystem)->client, &settings, request, &self->answer);
}

/* Whether it is words that people wrote, and none that may be a secret: letters, and short numbers apart. */
static bool is_words(const char *text) {
  unsigned char before = ' ';
  size_t digits = 0;
  for (; *text; before = (unsigned char)*text++) {
    const unsigned char c = (unsigned char)*text;
    digits = isdigit(c) ? digits + 1 : 0;
    if (digits > 4 || (isdigit(c) && isalpha(before)) || (isalpha(c) && isdigit(before)))
      return false;
    if (c >= 0x80 || (!isalnum(c) && !strchr(" _.,:;'()-", c))) return false;
  }
  return true;
}

static bool fail_refused(const exchange *self, TF_Status *status) {
  char error[80], description[160], text[300];
  int code = self->answer.status;
  if (!objects_flat_find(self->page.text, "error", error, sizeof error) || !is_words(error))
    *error = '\0';
  if (!objects_flat_find(self->page.text, "error_description", description, sizeof description) ||
      !is_words(description))
    *description = '\0';
  snprintf(text, sizeof text, "HTTP status %d%s%s", code, *error ? ", " : "", error);
  char more[200 + OBJECTS_CLOCK_SIZE], clock[OBJECTS_CLOCK_SIZE];
  snprintf(more, sizeof more, "%s%s%s", *description ? ": " : "", description,
           objects_clock_advice(&self->answer, clock));
  bool refused = code == 400 || code == 401 || code == 403;
  return fail(status, refused ? TF_UNAUTHENTICATED : net_code_of_status(code), self->who, text,
              more);
}

/* Takes the token out of a response. */
static bool take(const exchange *self, gs_granted *granted, TF_Status *status) {
  char seconds[24];
  const net_answer *answer = &self->answer;
  if (answer->error != NET_OK && (answer->status < 300 || answer->error == NET_INTERRUPTED))
    return fail(status, net_code_of_error(answer->error), self->who, answer->text, "");
  if (answer->status != 200) return fail_refused(self, status);
  if (!objects_flat_find(self->page.text, "access_token", granted->token, OPTION_SECRET_SIZE) ||
      strpbrk(granted->token, " \r\n"))
    return fail(status, TF_UNAUTHENTICATED, self->who, "the response has no access_token", "");
  bool told = objects_flat_find(self->page.text, "expires_in", seconds, sizeof seconds);
  granted->seconds = told ? strtoll(seconds, NULL, 10) : HOUR;
  return true;
}

static bool ask(const TF_Filesystem *filesystem, const char *url, const objects_form *form,
                gs_granted *granted, TF_Status *status) {
  static const char *const headers[] = {"Content-Type: application/x-www-form-urlencoded", NULL};
  const net_source source = {.length = form->length, .bytes = form->text};
  exchange self = {.filesystem = filesystem, .who = url};
  net_request request = {.method = "POST", .url = url, .headers = headers, .source = &source};
  send(&self, &request, LIMIT_MS);
  bool good = take(&self, granted, status);
  net_answer_end(&self.answer);
  explicit_bzero(&self.page, sizeof self.page);
  return good;
}

/* What is wrong with the account itself, in which file. */
static bool fail_account(TF_Status *status, const gs_account *account, const char *what) {
  char who[600];
  snprintf(who, sizeof who, "the credentials file %.500s", account->file);
  return fail(status, TF_UNAUTHENTICATED, who, what, "");
}

/* Service accounts ---------------------------------------------------------------------------- */

static bool grant_service(const TF_Filesystem *filesystem, const gs_account *account,
                          gs_granted *granted, TF_Status *status) {
  static const char start[] =
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
  objects_form form;
  const int64_t now = time(NULL);
  const gs_jwt jwt = {.key = account->key,
                      .key_id = account->key_id,
                      .issuer = account->email,
                      .audience = account->token_uri,
                      .scope = remote_text(filesystem, GS_SCOPE),
                      .issued = now,
                      .expires = now + HOUR};
  memcpy(form.text, start, sizeof start);
  const char *problem = gs_jwt_make(&jwt, form.text + sizeof start - 1, TOKEN_SIZE);
  form.length = strlen(form.text);
  bool good = problem ? fail_account(status, account, problem)
                      : ask(filesystem, account->token_uri, &form, granted, status);
  explicit_bzero(&form, sizeof form);
  return good;
}

/* Users --------------------------------------------------------------------------------------- */

static bool grant_user(const TF_Filesystem *filesystem, const gs_account *account,
                       gs_granted *granted, TF_Status *status) {
  objects_form form = {.length = 0};
  bool good = objects_form_add(&form, "grant_type", "refresh_token") &&
              objects_form_add(&form, "client_id", account->client_id) &&
              objects_form_add(&form, "client_secret", account->client_secret) &&
              objects_form_add(&form, "refresh_token", account->refresh_token);
  good = good ? ask(filesystem, account->token_uri, &form, granted, status)
              : fail_account(status, account, "its credentials are too long");
  explicit_bzero(&form, sizeof form);
  return good;
}

bool gs_grant(const TF_Filesystem *filesystem, const gs_account *account, gs_granted *granted,
              TF_Status *status) {
  gs_server server;
  bool known = strncmp(account->token_uri, "http", 4) == 0 &&
               !net_url_problem(account->token_uri) && gs_server_parse(account->token_uri, &server);
  if (!known || (!gs_server_is_secure(&server) && !gs_server_is_here(&server)))
    return fail_account(status, account, "its token_uri is not an https URL");
  return account->kind == GS_USER ? grant_user(filesystem, account, granted, status)
                                  : grant_service(filesystem, account, granted, status);
}

/* The machine --------------------------------------------------------------------------------- */

/* Another server at the address would not have this header. */
static bool is_of_google(const net_answer *answer) {
  char flavor[16];
  return net_answer_header(answer, "Metadata-Flavor", flavor, sizeof flavor) &&
         strcasecmp(flavor, "Google") == 0;
}

bool gs_grant_machine(const TF_Filesystem *filesystem, gs_granted *granted, TF_Status *status) {
  static const char *const headers[] = {"Metadata-Flavor: Google", NULL};
  const char *host = remote_text(filesystem, GS_METADATA_HOST);
  char url[400];
  snprintf(url, sizeof url,
           "http://%.255s/computeMetadata/v1/instance/service-accounts/default/token",
           *host ? host : "169.254.169.254");
  exchange self = {.filesystem = filesystem, .who = url};
  net_request request = {.method = "GET", .url = url, .headers = headers, .link_local = true};
  send(&self, &request, MACHINE_MS);
  bool good = self.answer.status != 200 || is_of_google(&self.answer)
                  ? take(&self, granted, status)
                  : fail(status, TF_UNAUTHENTICATED, url, "it is not Google's metadata server", "");
  net_answer_end(&self.answer);
  explicit_bzero(&self.page, sizeof self.page);
  return good;
}
