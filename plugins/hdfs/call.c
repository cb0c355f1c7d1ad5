/* A call lives on its caller's stack; concurrent ones share connections, options and the number of the name
 * node that answered last, which is a hint alone.
 *
 * Attempts go around the name nodes: from one that is in standby, cannot be reached, or broke off, to the
 * next, with a pause after each round. A request of a name node changes nothing twice, but for those whose
 * callers look at is_untold.
 *
 * The URL contains the delegation token, so it is built in memory that is wiped, and no message has it. */
#include "call.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pwd.h>
#include <sys/random.h>
#include <unistd.h>

#include "../common/net/code.h"
#include "../common/remote/format.h"
#include "../common/wiped/wiped.h"
#include "nodes.h"
#include "text.h"

enum { MOST_BODY = 64 * 1024 * 1024, LOCATION_SIZE = 16 * 1024 };
enum { FIRST_PAUSE_MS = 100, MOST_PAUSE_MS = 5000, PAIR_ATTEMPTS = 15 };

void hdfs_answer_fini(hdfs_answer *answer) {
  json_free(answer->json);
  wiped_free_text(answer->location);
  *answer = (hdfs_answer){.http_status = 0};
}

/* Who asks --------------------------------------------------------------------------------- */

/* false: there is a file with one, and it cannot be opened now. */
static bool take_token(const TF_Filesystem *filesystem, char token[OPTION_SECRET_SIZE],
                       TF_Status *status) {
  const option_values *values =
      options_secrets(&remote_of(filesystem)->options, HDFS_TOKEN, 1, token);
  const char *path = values->items[HDFS_TOKEN_FILE].text;
  if (*token || !*path) return true;
  FILE *file = fopen(path, "re");
  if (!file && (errno == EMFILE || errno == ENFILE))
    return fail_with(status, TF_RESOURCE_EXHAUSTED, "the file of option token_file: %s",
                     strerrordesc_np(errno));
  if (!file) return true;
  setvbuf(file, NULL, _IONBF, 0); /* no copy in a buffer that is not wiped */
  if (!fgets(token, OPTION_SECRET_SIZE, file)) *token = '\0';
  token[strcspn(token, "\r\n")] = '\0';
  fclose(file);
  return true;
}

static void add_user(const TF_Filesystem *filesystem, hdfs_text *url) {
  const char *user = remote_text(filesystem, HDFS_USER);
  char buffer[4096];
  struct passwd entry, *found = NULL;
  if (!*user && getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found) == 0 && found)
    user = found->pw_name;
  if (!*user) return;
  hdfs_text_add(url, "&user.name=");
  hdfs_text_add_encoded(url, user, false);
}

/* One request ------------------------------------------------------------------------------ */

typedef struct body {
  const net_sink *sink; /* NULL: all bodies are kept */
  bool passes;          /* to that sink */
  hdfs_text text;
} body;

static bool begin(void *state, const net_answer *answer) {
  body *self = state;
  self->text.length = 0;
  self->passes = self->sink && answer->status == 200;
  return !self->passes || self->sink->begin(self->sink->state, answer);
}

static bool take(void *state, const char *bytes, size_t n) {
  body *self = state;
  if (self->passes) return self->sink->write(self->sink->state, bytes, n);
  if (n > MOST_BODY - self->text.length) return false;
  hdfs_text_add_bytes(&self->text, bytes, n);
  return !self->text.failed;
}

static net_settings settings_of(const TF_Filesystem *filesystem) {
  return (net_settings){.connect_ms = remote_number(filesystem, HDFS_CONNECT_TIMEOUT_MS),
                        .idle_ms = remote_number(filesystem, HDFS_IDLE_TIMEOUT_MS),
                        .ca_file = remote_text(filesystem, HDFS_CA_FILE),
                        .user_agent = remote_text(filesystem, HDFS_USER_AGENT)};
}

static bool is_good(const net_answer *answer, bool redirects) {
  if (answer->error != NET_OK) return false;
  return redirects ? answer->status == 307 || answer->status == 200
                   : answer->status >= 200 && answer->status < 300;
}

/* Replaces the token in the server's words. */
static void mask(char *message, const char *token) {
  size_t n = strlen(token);
  for (char *at = message; n > 3 && (at = strstr(at, token));) {
    memmove(at + 3, at + n, strlen(at + n) + 1);
    memcpy(at, "***", 3);
    at += 3;
  }
}

static void fail_answer(const net_answer *answer, const hdfs_error *error, const char *what,
                        TF_Status *status) {
  char tries[NET_TRIES_SIZE];
  net_answer_tries(answer, tries);
  if (answer->status < 300 || answer->error == NET_INTERRUPTED)
    fail_with(status, answer->error ? net_code_of_error(answer->error) : TF_DATA_LOSS, "%s: %s%s",
              what, answer->error ? answer->text : "the answer is not of the expected kind", tries);
  else
    fail_with(status, hdfs_error_code(error, answer->status), "%s: HTTP status %d%s%s%s%s%s", what,
              answer->status, error->exception[0] ? ", " : "", error->exception,
              error->message[0] ? ": " : "", error->message, tries);
}

/* Calls of name nodes ---------------------------------------------------------------------- */

typedef struct calling {
  const TF_Filesystem *filesystem;
  const hdfs_name *name;
  const hdfs_call *call;
  hdfs_nodes nodes;
  int64_t deadline;
  char *token;
  net_answer head;
} calling;

static bool negotiates(const calling *self) {
  int64_t option = remote_number(self->filesystem, HDFS_NEGOTIATE);
  return !*self->token && (option < 0 ? self->nodes.has_kerberos : option > 0);
}

static void add_identity(const calling *self, hdfs_text *url) {
  const char *other = remote_text(self->filesystem, HDFS_DO_AS);
  if (*self->token) {
    hdfs_text_add(url, "&delegation=");
    hdfs_text_add_encoded(url, self->token, false);
  } else if (!negotiates(self)) {
    add_user(self->filesystem, url);
  }
  if (!*other) return;
  hdfs_text_add(url, "&doas=");
  hdfs_text_add_encoded(url, other, false);
}

static void build_url(const calling *self, int node, hdfs_text *url) {
  hdfs_text_add(url, self->nodes.urls[node]);
  hdfs_text_add(url, "/webhdfs/v1");
  hdfs_text_add_encoded(url, self->name->path, true);
  hdfs_text_add(url, "?op=");
  hdfs_text_add(url, self->call->op);
  if (self->call->query) hdfs_text_add(url, self->call->query);
  if (self->call->redirects) hdfs_text_add(url, "&noredirect=false");
  add_identity(self, url);
}

static void take_location(const calling *self, const char *url, hdfs_answer *answer) {
  char location[LOCATION_SIZE];
  const char *told = json_member_text(answer->json, "Location");
  if (self->head.status == 200)
    answer->location = told ? strdup(told) : NULL;
  else if (net_answer_header(&self->head, "Location", location, sizeof location))
    answer->location = net_url_resolve(url, location);
  explicit_bzero(location, sizeof location);
}

/* Sends it to one node; head and answer hold the outcome. */
static bool ask(calling *self, int node, hdfs_answer *answer) {
  static const net_source nothing = {.length = 0, .bytes = ""};
  const char *headers[] = {"Content-Type: application/octet-stream", NULL};
  const bool has_body = self->call->method[0] == 'P';
  const bool by_ticket = negotiates(self);
  const net_settings settings = settings_of(self->filesystem);
  body taken = {.sink = NULL};
  hdfs_text url = {.bytes = NULL};
  build_url(self, node, &url);
  hdfs_answer_fini(answer);
  int attempts = self->head.attempts;
  if (url.failed) {
    self->head.status = 0;
    self->head.error = NET_SHORT;
    snprintf(self->head.text, sizeof self->head.text, NET_NO_MEMORY);
  } else {
    net_request request = {.method = self->call->method,
                           .url = url.bytes,
                           .headers = headers + (has_body ? 0 : 1),
                           .source = has_body ? &nothing : NULL,
                           .sink = {.begin = begin, .write = take, .state = &taken},
                           .repeatable = true,
                           .cleans_up = self->call->cleans_up,
                           .negotiate = by_ticket,
                           /* To whom has a ticket a redirect brings a token. */
                           .url_is_secret = by_ticket || *self->token != '\0',
                           .deadline = self->deadline};
    net_perform(remote_of(self->filesystem)->client, &settings, &request, &self->head);
  }
  self->head.attempts = attempts + 1;
  answer->http_status = self->head.status;
  answer->json = json_parse(taken.text.bytes, taken.text.length);
  hdfs_error_take(answer->json, self->head.reason, &answer->error);
  mask(answer->error.message, self->token);
  if (self->call->redirects) take_location(self, url.bytes, answer);
  hdfs_text_fini(&taken.text);
  hdfs_text_fini(&url);
  return is_good(&self->head, self->call->redirects);
}

/* The node is not the one that serves: the request was not performed there. */
static bool is_elsewhere(const calling *self, const hdfs_answer *answer) {
  return hdfs_error_is(&answer->error, "StandbyException") ||
         hdfs_error_is(&answer->error, "RetriableException") || self->head.error == NET_UNREACHABLE;
}

/* The request may have been performed. */
static bool is_lost(const calling *self, const hdfs_answer *answer) {
  int status = self->head.status;
  if (hdfs_error_code(&answer->error, status) == TF_UNAUTHENTICATED) return false;
  return self->head.error == NET_TIMEOUT || self->head.error == NET_BROKEN ||
         self->head.error == NET_CUT || status == 408 || status == 429 || status == 500 ||
         status == 502 || status == 503 || status == 504;
}

static int64_t pause_of(int round) {
  int64_t most = FIRST_PAUSE_MS;
  uint32_t dice = 0;
  while (--round > 0 && most < MOST_PAUSE_MS)
    most *= 2;
  if (most > MOST_PAUSE_MS) most = MOST_PAUSE_MS;
  if (getrandom(&dice, sizeof dice, GRND_NONBLOCK) != sizeof dice) dice = (uint32_t)net_now();
  return most / 2 + dice % (uint32_t)(most / 2 + 1);
}

/* Waits before another round; false where there is to be none. */
static bool wait_round(calling *self, int attempt) {
  if (attempt % self->nodes.count != 0) return true;
  int64_t then = net_now() + pause_of(attempt / self->nodes.count);
  if (then >= self->deadline) return false;
  if (net_wait_until(remote_of(self->filesystem)->client, then)) return true;
  self->head.error = NET_INTERRUPTED;
  snprintf(self->head.text, sizeof self->head.text, "interrupted");
  return false;
}

/* How many attempts may follow the first one: with a pair, long enough for a fail-over. */
static int64_t attempts_after_first(const calling *self) {
  int64_t most = remote_number(self->filesystem, HDFS_RETRIES);
  return self->nodes.count > 1 && most > 0 && most < PAIR_ATTEMPTS ? PAIR_ATTEMPTS : most;
}

static bool may_repeat(const calling *self, const hdfs_answer *answer, bool lost) {
  return (lost || is_elsewhere(self, answer)) && self->head.error != NET_INTERRUPTED &&
         !self->call->cleans_up;
}

static bool run(calling *self, hdfs_answer *answer) {
  atomic_int *active =
      &hdfs_filesystem_of(self->filesystem)->active[self->nodes.hash % HDFS_ACTIVE];
  int64_t most = attempts_after_first(self);
  int node = atomic_load(active) % self->nodes.count;
  bool is_untold = false;
  for (int attempt = 1;; attempt++) {
    bool good = ask(self, node, answer);
    bool lost = !good && is_lost(self, answer);
    answer->is_untold = is_untold = is_untold || lost;
    if (good) {
      atomic_store(active, node);
      return true;
    }
    if (attempt > most || !may_repeat(self, answer, lost) || !wait_round(self, attempt))
      return false;
    node = (node + 1) % self->nodes.count;
  }
}

static const char *redirect_problem(const calling *self, const hdfs_answer *answer) {
  if (!answer->location) return "the answer names no data node";
  const char *problem = net_url_problem(answer->location);
  if (problem) return problem;
  if (self->nodes.urls[0][4] == 's' && strncmp(answer->location, "https:", 6) != 0)
    return "the redirect to the data node leads from https to http";
  return NULL;
}

bool hdfs_call_run(const TF_Filesystem *filesystem, const hdfs_name *name, const hdfs_call *call,
                   hdfs_answer *answer, TF_Status *status) {
  char token[OPTION_SECRET_SIZE];
  calling self = {.filesystem = filesystem,
                  .name = name,
                  .call = call,
                  .deadline = net_now() + remote_number(filesystem, HDFS_TOTAL_TIMEOUT_MS),
                  .token = token};
  if (!hdfs_nodes_find(filesystem, name, &self.nodes, status) ||
      !take_token(filesystem, token, status))
    return false;
  bool good = run(&self, answer);
  if (!good) fail_answer(&self.head, &answer->error, call->op, status);
  const char *problem = good && call->redirects ? redirect_problem(&self, answer) : NULL;
  if (problem)
    good = fail_with(status, TF_FAILED_PRECONDITION, "%s: HTTP status %d, but %s", call->op,
                     answer->http_status, problem);
  net_answer_end(&self.head);
  explicit_bzero(token, sizeof token);
  return good;
}

bool hdfs_call_plain(const TF_Filesystem *filesystem, const hdfs_name *name, const hdfs_call *call,
                     TF_Status *status) {
  hdfs_answer answer = {.http_status = 0};
  bool good = hdfs_call_run(filesystem, name, call, &answer, status);
  hdfs_answer_fini(&answer);
  return good;
}

bool hdfs_call_status(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                      TF_Status *status) {
  static const hdfs_call call = {.method = "GET", .op = "GETFILESTATUS"};
  hdfs_answer answer = {.http_status = 0};
  bool good = hdfs_call_run(filesystem, name, &call, &answer, status);
  if (good && !hdfs_json_status(json_member(answer.json, "FileStatus"), found))
    good = fail_with(status, TF_DATA_LOSS, "GETFILESTATUS: the answer holds no FileStatus");
  hdfs_answer_fini(&answer);
  return good;
}

/* Data nodes ------------------------------------------------------------------------------- */

bool hdfs_transfer_run(const TF_Filesystem *filesystem, const hdfs_transfer *transfer,
                       hdfs_error *error, TF_Status *status) {
  static const int64_t ages = (int64_t)1 << 40;
  const char *headers[] = {"Content-Type: application/octet-stream", NULL};
  const net_settings settings = settings_of(filesystem);
  char shown[256], what[320], token[OPTION_SECRET_SIZE];
  int64_t limit = transfer->is_endless ? ages : remote_number(filesystem, HDFS_TOTAL_TIMEOUT_MS);
  body taken = {.sink = transfer->sink.begin ? &transfer->sink : NULL};
  net_answer head = {0};
  net_request request = {.method = transfer->method,
                         .url = transfer->url,
                         .headers = headers + (transfer->source ? 0 : 1),
                         .source = transfer->source,
                         .sink = {.begin = begin, .write = take, .state = &taken},
                         .url_is_secret = strstr(transfer->url, "delegation=") != NULL,
                         .deadline = net_now() + limit};
  *error = (hdfs_error){"", ""};
  net_client *client = remote_of(filesystem)->client;
  if (transfer->stream)
    *transfer->stream = net_stream_open(client, &settings, &request, &head);
  else
    net_perform(client, &settings, &request, &head);
  bool good = is_good(&head, false) && (!transfer->stream || *transfer->stream);
  if (!good) {
    take_token(filesystem, token, status);
    hdfs_error_parse(taken.text.bytes, taken.text.length, head.reason, error);
    mask(error->message, token);
    explicit_bzero(token, sizeof token);
    net_url_show(transfer->url, shown, sizeof shown);
    shown[strcspn(shown, "/") + 2 + strcspn(shown + strcspn(shown, "/") + 2, "/")] = '\0';
    snprintf(what, sizeof what, "%s at %s", transfer->op, shown);
    fail_answer(&head, error, what, status);
  }
  hdfs_text_fini(&taken.text);
  net_answer_end(&head);
  return good;
}

bool hdfs_exclude(const char *url, char *query, size_t size) {
  const char *host = strstr(url, "://");
  size_t n = host ? strcspn(host + 3, "/?:") : 0;
  int length = n > 0 ? snprintf(query, size, "&excludedatanodes=%.*s", (int)n, host + 3) : -1;
  return length > 0 && (size_t)length < size;
}
