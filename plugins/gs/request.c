/* A request, from its address to its answer.
 *
 * net_perform repeats attempts that failed on the way. What is repeated here was answered: a token that the
 * server refuses is requested anew, once, if the body can be sent again. The page of a failure never reaches
 * the caller's sink (objects/send.c).
 *
 * Secrets: the line with the token lies on the stack and is wiped; curl wipes its copy. The path of an upload
 * in parts is as good as a token for that object: its URL is wiped, too, and appears in no message, as no URL
 * does. All state is on the stack of the call, so nothing is shared or inherited. */
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/remote/format.h"
#include "../common/wiped/wiped.h"
#include "../s3/signed_request.h"
#include "token.h"

enum { MOST_PAGE = 64 * 1024, MOST_LINES = 16, MOST_DOCUMENT = 4 << 20 };

static const char bearer[] = "Authorization: Bearer ";

void gs_answer_end(gs_answer *answer) {
  net_answer_end(&answer->head);
  *answer = (gs_answer){0};
}

/* The path that a place has below the server. Owns: the caller; NULL without memory. */
static char *path_of(const gs_request *request) {
  char key[OBJECTS_ENCODED_SIZE] = "";
  const char *bucket = request->name->bucket;
  switch (request->place) {
  case GS_AT_KEY:
    objects_name_encode(request->name->key, false, key, sizeof key);
    return remote_format("/storage/v1/b/%s/o/%s", bucket, key);
  case GS_AT_OBJECTS:
    return remote_format("/storage/v1/b/%s/o", bucket);
  case GS_AT_UPLOAD:
    return remote_format("/upload/storage/v1/b/%s/o", bucket);
  case GS_AT_BUCKET:
    return remote_format("/storage/v1/b/%s", bucket);
  case GS_AT_BATCH:
    return strdup("/batch/storage/v1");
  case GS_AT_PATH:
    return strdup("");
  default:
    return strdup("/storage/v1/b");
  }
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_url(const gs_server *server, const gs_request *request) {
  char *path = path_of(request), *query = s3_query_make(request->query), *url = NULL;
  /* A server tells the whole of a path, with what an endpoint has before it. */
  bool whole = request->place == GS_AT_PATH;
  int n = whole ? (int)server->path : (int)strlen(server->text);
  if (path && query)
    url = remote_format("%.*s%s%s%s%s", n, server->text, path, request->more ? request->more : "",
                        *query ? "?" : "", query);
  free(path);
  free(query);
  return url;
}

/* The lines of a request; the one with the token first. */
typedef struct lines {
  const char *items[MOST_LINES];
  int count;
  char project[128];
  char token[sizeof bearer + OPTION_SECRET_SIZE];
} lines;

static bool add_token(const TF_Filesystem *filesystem, const gs_server *server, lines *made,
                      TF_Status *status) {
  char *token = made->token + sizeof bearer - 1;
  memcpy(made->token, bearer, sizeof bearer);
  if (!gs_token_take(filesystem, server, token, status)) return false;
  if (*token) made->items[made->count++] = made->token;
  return true;
}

static bool make_lines(const TF_Filesystem *filesystem, const gs_server *server,
                       const gs_request *request, lines *made, TF_Status *status) {
  const char *project = remote_text(filesystem, GS_USER_PROJECT);
  if (!add_token(filesystem, server, made, status)) return false;
  if (*project) {
    snprintf(made->project, sizeof made->project, "X-Goog-User-Project: %.100s", project);
    made->items[made->count++] = made->project;
  }
  const char *const *next = request->headers;
  while (next && *next && made->count + 1 < MOST_LINES)
    made->items[made->count++] = *next++;
  made->items[made->count] = NULL;
  return true;
}

/* A request with its lines and its URL, ready to send. */
typedef struct ready {
  lines made;
  char *url;
  net_request request;
} ready;

static bool make_ready(const TF_Filesystem *filesystem, const gs_request *request, ready *self,
                       TF_Status *status) {
  gs_server server;
  gs_server_of(filesystem, &server);
  self->made.count = 0;
  self->url = make_url(&server, request);
  self->request = (net_request){.method = request->method,
                                .url = self->url,
                                .headers = self->made.items,
                                .source = request->source,
                                .sink = request->sink,
                                .repeatable = true,
                                .once = request->once,
                                .url_is_secret = request->place == GS_AT_PATH,
                                .cleans_up = request->cleans_up,
                                .deadline = request->deadline};
  if (!self->url) return fail_no_memory(status);
  return make_lines(filesystem, &server, request, &self->made, status);
}

static void ready_end(ready *self) {
  explicit_bzero(&self->made, sizeof self->made);
  wiped_free_text(self->url);
}

/* Sends the request once; *has_token: whether it was sent with one. */
static bool send_once(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                      bool *has_token, TF_Status *status) {
  objects_document page = {.most = MOST_PAGE};
  ready sent;
  bool good = make_ready(filesystem, request, &sent, status);
  *has_token = good && sent.made.items[0] == sent.made.token;
  if (good) {
    objects_send(filesystem, &sent.request, &answer->head, &page);
    gs_error_read(page.bytes, page.length, &answer->error);
  }
  ready_end(&sent);
  objects_document_end(&page);
  return good;
}

net_stream *gs_request_start(const TF_Filesystem *filesystem, const gs_request *request,
                             TF_Status *status) {
  ready sent;
  bool good = make_ready(filesystem, request, &sent, status);
  net_stream *stream = good ? objects_start(filesystem, &sent.request) : NULL;
  ready_end(&sent);
  return stream;
}

bool gs_request_send(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                     TF_Status *status) {
  bool has_token = false;
  *answer = (gs_answer){0};
  if (!send_once(filesystem, request, answer, &has_token, status)) return false;
  if (answer->head.status != 401 || !has_token || !gs_token_drop(filesystem) ||
      !net_rewind(request->source))
    return true;
  gs_answer_end(answer);
  return send_once(filesystem, request, answer, &has_token, status);
}

void gs_fail(TF_Status *status, const gs_request *request, const gs_answer *answer) {
  gs_fail_answer(status, (objects_action){request->operation, request->name}, &answer->head,
                 &answer->error);
}

bool gs_request_run(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                    TF_Status *status) {
  if (!gs_request_send(filesystem, request, answer, status)) return false;
  if (objects_is_success(&answer->head)) return true;
  gs_fail(status, request, answer);
  return false;
}

bool gs_request_document(const TF_Filesystem *filesystem, gs_request *request, gs_answer *answer,
                         json_value **document, TF_Status *status) {
  objects_document page = {.most = MOST_DOCUMENT};
  request->sink = objects_document_sink(&page);
  bool good = gs_request_run(filesystem, request, answer, status);
  *document = good ? json_parse(page.bytes, page.length) : NULL;
  if (good && !*document)
    objects_fail(status, TF_DATA_LOSS, (objects_action){request->operation, request->name},
                 "HTTP status %d, but the response is not a JSON object", answer->head.status);
  objects_document_end(&page);
  return *document != NULL;
}
