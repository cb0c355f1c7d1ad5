/* A request, from its address to its answer.
 *
 * net_perform, in objects_send, repeats attempts that failed on the way. What is repeated here was answered:
 * a request is authorized and sent again after the clock was corrected, and after a token was renewed, each
 * once, so that a server that refuses everything cannot keep it going. A body that cannot be rewound ends
 * that, too.
 *
 * The offset of the clock belongs to the filesystem. It is one atomic number, so threads that correct it at
 * once overwrite each other, with what is the same time.
 *
 * Who frees: URL and headers, which contain secrets, are wiped after each sending, and so is the access; the
 * answer is the caller's. All state is on the stack of the call, so nothing is shared or inherited. */
#include "request.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/objects/server_clock.h"
#include "../common/remote/format.h"
#include "../common/wiped/wiped.h"
#include "token.h"

enum {
  MOST_PAGE = 64 * 1024,
  MOST_OWN_HEADERS = 8,
  MOST_HEADERS = OBJECTS_MOST_HEADERS + MOST_OWN_HEADERS,
  DATE_SIZE = 64
};

const net_source az_no_body = {.bytes = ""};

/* A request, ready to send. */
typedef struct ready {
  const char *lines[MOST_HEADERS + 1]; /* ends in NULL; those of the request, then the own ones */
  int count;
  char date[DATE_SIZE];
  char *source; /* x-ms-copy-source */
  char authorization[OPTION_SECRET_SIZE + 64];
  bool url_is_secret;
  char *url;
} ready;

static void ready_end(ready *self) {
  explicit_bzero(self->authorization, sizeof self->authorization);
  wiped_free_text(self->source);
  wiped_free_text(self->url);
}

void az_answer_end(az_answer *answer) {
  net_answer_end(&answer->head);
  *answer = (az_answer){.head = {0}};
}

static char *encode(const char *text) {
  size_t size = 3 * strlen(text) + 4;
  char *encoded = malloc(size);
  if (encoded) objects_name_encode(text, false, encoded, size);
  return encoded;
}

char *az_query_make(const az_pair *query) {
  char *text = strdup("");
  for (; text && query && query->name; query++) {
    char *value = encode(query->value);
    char *longer =
        value ? remote_format("%s%s%s=%s", text, *text ? "&" : "", query->name, value) : NULL;
    free(value);
    free(text);
    text = longer;
  }
  return text;
}

/* A SAS is part of the query, and is not signed. */
static char *make_url(const az_address *address, const az_access *access, const char *query) {
  const char *sas = access->kind == AZ_KIND_SAS ? access->secret : "";
  return remote_format("%s://%s%s%s%s%s%s", address->secure ? "https" : "http", address->host,
                       address->path, *query || *sas ? "?" : "", query, *query && *sas ? "&" : "",
                       sas);
}

static bool add(ready *self, const char *line) {
  if (!line || self->count == MOST_HEADERS) return false;
  self->lines[self->count++] = line;
  return true;
}

static bool add_date(const TF_Filesystem *filesystem, ready *self) {
  struct tm parts;
  time_t now = time(NULL) + (time_t)atomic_load(&az_filesystem_of(filesystem)->clock);
  static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (!gmtime_r(&now, &parts)) return false;
  /* Not strftime, whose names depend on the locale. */
  snprintf(self->date, sizeof self->date, "x-ms-date: %s, %02d %s %d %02d:%02d:%02d GMT",
           days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon], parts.tm_year + 1900,
           parts.tm_hour, parts.tm_min, parts.tm_sec);
  return add(self, self->date);
}

/* The blob that is copied is named by its URL, with a SAS of its own. */
static bool add_copied(const TF_Filesystem *filesystem, const az_request *request, ready *self,
                       TF_Status *status) {
  az_target from;
  if (!request->copied) return true;
  bool good = az_target_make(filesystem, request->copied, false, &from, status);
  char *url = good ? make_url(&from.address, &from.access, "") : NULL;
  if (url) self->source = remote_format("x-ms-copy-source: %s", url);
  wiped_free_text(url);
  az_access_wipe(&from.access);
  return add(self, self->source);
}

static bool authorize(const az_request *request, const az_address *address, const az_access *access,
                      ready *self, TF_Status *status) {
  const az_signing signing = {.method = request->method,
                              .account = access->account,
                              .path = address->path,
                              .query = request->query,
                              .headers = self->lines,
                              .length = request->source ? request->source->length : 0};
  if (access->kind == AZ_KIND_KEY && !az_sign(&signing, access->secret, self->authorization)) {
    if (az_is_key(access->secret))
      fail_no_memory(status);
    else
      TF_SetStatus(status, TF_UNAUTHENTICATED, "the key of the account is not base64");
    return false;
  }
  if (access->kind == AZ_KIND_TOKEN && !address->secure) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "a token is sent over TLS only; the endpoint must begin with https");
    return false;
  }
  if (access->kind == AZ_KIND_TOKEN)
    snprintf(self->authorization, sizeof self->authorization, "Authorization: Bearer %s",
             access->secret);
  return !self->authorization[0] || add(self, self->authorization);
}

static bool make(const TF_Filesystem *filesystem, const az_request *request, const az_target *to,
                 ready *self, TF_Status *status) {
  bool good = true;
  for (const char *const *line = request->headers; good && line && *line; line++)
    good = add(self, *line);
  good = good && add_date(filesystem, self) && add(self, "x-ms-version: " AZ_VERSION) &&
         add_copied(filesystem, request, self, status) &&
         authorize(request, &to->address, &to->access, self, status);
  char *query = good ? az_query_make(request->query) : NULL;
  self->url_is_secret = to->access.kind == AZ_KIND_SAS;
  self->url = query ? make_url(&to->address, &to->access, query) : NULL;
  free(query);
  if (!self->url && TF_GetCode(status) == TF_OK) fail_no_memory(status);
  return self->url != NULL;
}

/* A request on its way. What may be corrected is so once. */
typedef struct sending {
  const TF_Filesystem *filesystem;
  const az_request *request;
  az_answer *answer;
  int64_t deadline;
  bool clock_is_good, token_is_good, again;
} sending;

static net_request to_send(const az_request *request, const ready *made) {
  return (net_request){.method = request->method,
                       .url = made->url,
                       .headers = made->lines,
                       .source = request->source,
                       .sink = request->sink,
                       .repeatable = true,
                       .cleans_up = request->cleans_up,
                       .url_is_secret = made->url_is_secret};
}

static void send_ready(const sending *self, const ready *made) {
  objects_document page = {.most = MOST_PAGE};
  net_request sent = to_send(self->request, made);
  sent.deadline = self->deadline;
  net_answer *head = &self->answer->head;
  objects_send(self->filesystem, &sent, head, &page);
  az_error_read(head, head->status >= 300 ? page.bytes : NULL, page.length, &self->answer->error);
  objects_document_end(&page);
}

static bool is_worth_repeating(sending *self, const az_access *access) {
  const net_answer *answer = &self->answer->head;
  if (access->kind == AZ_KIND_KEY && !self->clock_is_good)
    return self->clock_is_good =
               objects_correct_clock(&az_filesystem_of(self->filesystem)->clock, answer);
  bool refused = answer->status == 401 || az_error_is(&self->answer->error, "AuthenticationFailed");
  if (access->kind == AZ_KIND_TOKEN && refused && !self->token_is_good)
    return self->token_is_good = az_token_drop(self->filesystem, access->secret);
  return false;
}

/* Sends the request once, and tells whether to do so again. False when it could not be made. */
static bool run_once(sending *self, TF_Status *status) {
  const az_request *request = self->request;
  az_target to;
  ready made = {.count = 0};
  bool good = az_target_make(self->filesystem, request->name, request->of_container, &to, status) &&
              make(self->filesystem, request, &to, &made, status);
  if (good) send_ready(self, &made);
  self->again = good && is_worth_repeating(self, &to.access) && net_rewind(request->source);
  ready_end(&made);
  az_access_wipe(&to.access);
  return good;
}

bool az_request_run(const TF_Filesystem *filesystem, const az_request *request, az_answer *answer,
                    TF_Status *status) {
  sending self = {.filesystem = filesystem,
                  .request = request,
                  .answer = answer,
                  .deadline = objects_deadline(filesystem)};
  *answer = (az_answer){.head = {0}};
  do {
    if (!run_once(&self, status)) return false;
  } while (self.again);
  if (objects_is_success(&answer->head)) return true;
  az_fail_answer(status, (objects_action){request->operation, request->name}, &answer->head,
                 &answer->error);
  return false;
}

net_stream *az_request_start(const TF_Filesystem *filesystem, const az_request *request,
                             TF_Status *status) {
  az_target to;
  ready made = {.count = 0};
  bool good = az_target_make(filesystem, request->name, request->of_container, &to, status) &&
              make(filesystem, request, &to, &made, status);
  const net_request sent = to_send(request, &made);
  net_stream *stream = good ? objects_start(filesystem, &sent) : NULL;
  ready_end(&made);
  az_access_wipe(&to.access);
  return stream;
}

bool az_request_do(const TF_Filesystem *filesystem, const az_request *request, TF_Status *status) {
  az_answer answer;
  bool good = az_request_run(filesystem, request, &answer, status);
  az_answer_end(&answer);
  return good;
}
