/* Reading a range of an object.
 *
 * A version is requested by its generation, and a server of Google's tells that of what it sends. Some servers
 * do not (one of the emulators): `tells_no_version` notes which. There the generation is asked for before and
 * after the content came; if both agree, the content is of that version, as generations only grow. It is put
 * into the head that the caller's sink sees.
 *
 * Content that is kept compressed comes as it is kept, for a client that accepts gzip; otherwise the server
 * would decompress it, and its ranges and lengths would be others.
 *
 * All state is on the stack of the call, but for the note, which any thread may set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/objects/range.h"
#include "request.h"
#include "service.h"

typedef struct reading {
  const objects_get *get;
  const char *tag; /* found out by us; NULL: the server tells it */
  bool untold;     /* it does not tell it */
  bool is_empty;   /* the object has no bytes */
} reading;

static const char generation[] = "X-Goog-Generation";

/* Passes the head on, with the generation. */
static bool begin_with_tag(const reading *self, const net_answer *answer) {
  const net_sink *sink = &self->get->sink;
  net_answer told = *answer;
  char line[OBJECTS_TAG_SIZE + 40];
  int n = snprintf(line, sizeof line, "%s: %s\r\n", generation, self->tag);
  told.head = malloc(answer->length + (size_t)n + 1);
  if (!told.head) return false;
  memcpy(told.head, line, (size_t)n);
  memcpy(told.head + n, answer->length > 0 ? answer->head : "", answer->length);
  told.length = answer->length + (size_t)n;
  told.head[told.length] = '\0';
  bool good = sink->begin(sink->state, &told);
  free(told.head);
  return good;
}

/* "bytes 0--1/0" */
static bool is_range_of_nothing(const net_answer *answer) {
  char range[64];
  if (!net_answer_header(answer, "Content-Range", range, sizeof range)) return false;
  size_t n = strlen(range);
  return n > 2 && strcmp(range + n - 2, "/0") == 0;
}

static bool begin(void *state, const net_answer *answer) {
  reading *self = state;
  const net_sink *sink = &self->get->sink;
  char value[OBJECTS_TAG_SIZE];
  bool told = net_answer_header(answer, generation, value, sizeof value);
  self->is_empty = is_range_of_nothing(answer);
  self->untold = !told && !self->tag;
  if (self->is_empty || self->untold) return false;
  return told ? sink->begin(sink->state, answer) : begin_with_tag(self, answer);
}

static bool take(void *state, const char *bytes, size_t n) {
  const reading *self = state;
  return self->get->sink.write(self->get->sink.state, bytes, n);
}

/* A request for a range, with what it points to. */
typedef struct asking {
  objects_range range;
  const char *headers[3];
  s3_pair query[3];
  gs_request request;
} asking;

static void make(const objects_get *get, asking *made) {
  objects_range_write(get, &made->range);
  made->headers[0] = made->range.range;
  made->headers[1] = "Accept-Encoding: gzip";
  made->headers[2] = NULL;
  made->query[0] = (s3_pair){"alt", "media"};
  made->query[1] = (s3_pair){get->match ? "generation" : NULL, get->match};
  made->query[2] = (s3_pair){NULL, NULL};
  made->request = (gs_request){
      "objects.get",           "GET", get->name, .place = GS_AT_KEY, .query = made->query,
      .headers = made->headers};
}

static bool ask(const TF_Filesystem *filesystem, reading *self, int *code, TF_Status *status) {
  asking made;
  gs_answer answer;
  make(self->get, &made);
  made.request.sink = (net_sink){begin, take, self, .is_small = self->get->sink.is_small};
  bool good = gs_request_run(filesystem, &made.request, &answer, status);
  *code = self->is_empty ? 416 : answer.head.status;
  gs_answer_end(&answer);
  return good;
}

static bool find_tag(const TF_Filesystem *filesystem, const objects_name *name,
                     char tag[OBJECTS_TAG_SIZE], int *code, TF_Status *status) {
  objects_object object;
  bool found = gs_head(filesystem, name, &object, NULL, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) *code = 404;
  if (found) memcpy(tag, object.tag, OBJECTS_TAG_SIZE);
  return found;
}

/* Of a server that does not tell which version it sends. */
static bool get_untold(const TF_Filesystem *filesystem, const objects_get *get, int *code,
                       TF_Status *status) {
  char before[OBJECTS_TAG_SIZE], after[OBJECTS_TAG_SIZE];
  reading self = {.get = get, .tag = get->match ? get->match : before};
  TF_SetStatus(status, TF_OK, "");
  if (!get->match && !find_tag(filesystem, get->name, before, code, status)) return false;
  if (!ask(filesystem, &self, code, status)) return false;
  if (!find_tag(filesystem, get->name, after, code, status)) return false;
  if (strcmp(self.tag, after) == 0) return true;
  *code = 412;
  objects_fail(status, TF_ABORTED, (objects_action){"objects.get", get->name},
               "the object was replaced while it was read; open it again");
  return false;
}

/* A hash of the endpoint, never 0. */
static uint64_t hash_server(const TF_Filesystem *filesystem) {
  uint64_t hash = 14695981039346656037u;
  for (const char *c = remote_text(filesystem, OBJECTS_ENDPOINT); *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  return hash | 1;
}

bool gs_get(const TF_Filesystem *filesystem, const objects_get *get, int *code, TF_Status *status) {
  gs_filesystem *all = gs_filesystem_of(filesystem);
  const uint64_t server = hash_server(filesystem);
  reading self = {.get = get};
  *code = 0;
  if (atomic_load(&all->tells_no_version) == server)
    return get_untold(filesystem, get, code, status);
  bool good = ask(filesystem, &self, code, status);
  if (good || !self.untold) return good;
  atomic_store(&all->tells_no_version, server);
  return get_untold(filesystem, get, code, status);
}

/* A server that does not tell versions is asked for them by get. */
net_stream *gs_start_get(const TF_Filesystem *filesystem, const objects_get *get,
                         TF_Status *status) {
  asking made;
  if (atomic_load(&gs_filesystem_of(filesystem)->tells_no_version) == hash_server(filesystem))
    return NULL;
  make(get, &made);
  return gs_request_start(filesystem, &made.request, status);
}

void gs_read_head(const net_answer *answer, objects_object *object) {
  char text[64];
  *object = (objects_object){0};
  net_answer_header(answer, generation, object->tag, sizeof object->tag);
  if (net_answer_header(answer, "Last-Modified", text, sizeof text))
    object->modified = net_time(text);
  objects_attributes_read(answer, "x-goog-meta-", &object->attributes);
}
