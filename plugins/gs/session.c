/* One upload session.
 *
 * The server keeps the bytes of a session in order and tells after each request how many it has: HTTP status
 * 308 and a Range, or the object's resource once the last one came. A chunk is sent until the server has all
 * of it. Where the outcome of a request is unclear, an empty request with an unknown range asks how far the
 * server is, and the rest is sent. What it had before this chunk it must still have, for the bytes are not here
 * any more.
 *
 * States of `sending`: `at` is the first byte that the server lacks, as far as it is known; it never moves back.
 * `unclear` is set after a failure on the way, until an answer tells `at`. `idle` counts requests in a row that
 * brought nothing, other than those that only ask, and ends the chunk after as many as option retries says.
 *
 * No thread but the caller's uses a session: a chunk waits for the answer to the one before. Its path is wiped
 * when it is freed. A session that nobody completes or cancels ends by itself after a week, and no reader sees
 * anything of it. In a forked child nothing is sent (store/upload.c). */
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/wiped/wiped.h"
#include "condition.h"
#include "document.h"
#include "request.h"

enum {
  MOST_PATH = 4096,
  FIRST_PAUSE_MS = 100,
  MOST_PAUSE_MS = 5000,
  RESUME = 308,
  MOST_PAGE = 1 << 20
};

static const char operation[] = "objects.insert";

/* Opening ------------------------------------------------------------------------------------- */

/* The path and query of a URL: whatever host it names, the session is at the server that was asked. */
static char *take_path(const char *url) {
  const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : url;
  if (!path || *path != '/') return NULL;
  for (const char *c = path; *c; c++)
    if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == '#') return NULL;
  return strdup(path);
}

static char *open_by(const TF_Filesystem *filesystem, const gs_request *request,
                     const objects_condition *condition, TF_Status *status) {
  char location[MOST_PATH], *path = NULL;
  const objects_action action = {operation, request->name};
  gs_answer answer;
  bool good = gs_request_run(filesystem, request, &answer, status);
  if (good && net_answer_header(&answer.head, "Location", location, sizeof location) &&
      strlen(location) < sizeof location - 1)
    path = take_path(location);
  if (good && !path)
    objects_fail(status, TF_DATA_LOSS, action, "the response names no place for the upload");
  if (!good && answer.head.status == 412) objects_condition_fail(condition, action, status);
  explicit_bzero(location, sizeof location);
  gs_answer_end(&answer);
  return path;
}

char *gs_session_open(const TF_Filesystem *filesystem, const gs_new_session *wanted,
                      TF_Status *status) {
  char type[256];
  const char *key = remote_text(filesystem, S3_ENCRYPTION_KEY);
  const char *const headers[] = {"Content-Type: application/json; charset=UTF-8",
                                 *wanted->type ? type : NULL, NULL};
  const net_source source = {.length = strlen(wanted->metadata), .bytes = wanted->metadata};
  s3_pair query[5] = {{"uploadType", "resumable"}, {"name", wanted->name->key}};
  int count = 2;
  if (*key) query[count++] = (s3_pair){"kmsKeyName", key};
  query[count] = gs_condition_pair(&wanted->condition);
  snprintf(type, sizeof type, "X-Upload-Content-Type: %.200s", wanted->type);
  const gs_request request = {
      operation,          "POST",           wanted->name, .place = GS_AT_UPLOAD, .query = query,
      .headers = headers, .source = &source};
  return open_by(filesystem, &request, &wanted->condition, status);
}

void gs_session_free(char *path) {
  wiped_free_text(path);
}

/* Sending ------------------------------------------------------------------------------------- */

typedef struct sending {
  const TF_Filesystem *filesystem;
  const gs_chunk *chunk;
  uint64_t at, end;
  bool unclear;
  bool asked; /* the last request only asked how far the server is */
  int64_t idle;
  int64_t deadline;
  json_value **resource;
} sending;

/* What an answer means. */
typedef enum outcome { DONE, GOES_ON, UNCLEAR, FAILED } outcome;

static outcome fail(const sending *self, TF_Code code, const char *why, TF_Status *status) {
  objects_fail(status, code, (objects_action){operation, self->chunk->name}, "%s", why);
  return FAILED;
}

/* Without a Range the server has nothing. */
static bool read_range(const net_answer *answer, uint64_t *has) {
  char value[64], *end = NULL;
  *has = 0;
  if (!net_answer_header(answer, "Range", value, sizeof value)) return true;
  if (strncmp(value, "bytes=0-", 8) != 0 || value[8] < '0' || value[8] > '9') return false;
  *has = strtoull(value + 8, &end, 10) + 1;
  return *end == '\0' && *has <= INT64_MAX;
}

static outcome take_progress(sending *self, const net_answer *answer, TF_Status *status) {
  uint64_t has = 0;
  if (!read_range(answer, &has) || has > self->end)
    return fail(self, TF_DATA_LOSS, "the server reports more bytes than were sent, or no number",
                status);
  if (has < self->at)
    return fail(self, TF_DATA_LOSS, "the server has lost bytes of the upload; write the file again",
                status);
  if (has > self->at) self->idle = -1;
  self->at = has;
  self->unclear = false;
  return has == self->end && !self->chunk->is_last ? DONE : GOES_ON;
}

/* A success: the object is there. */
static outcome take_object(sending *self, const objects_document *page, TF_Status *status) {
  json_value *resource = json_parse(page->bytes, page->length);
  objects_object made;
  bool known = resource && gs_document_object(resource, &made);
  if (known && self->chunk->is_last && made.length == self->end) {
    *self->resource = resource;
    return DONE;
  }
  json_free(resource);
  return fail(self, TF_DATA_LOSS,
              known ? "the server has made an object of another size than was sent"
                    : "the response does not describe the object",
              status);
}

static bool is_momentary(const net_answer *answer) {
  int status = answer->status;
  if (status >= 300) return status == 408 || status == 429 || (status >= 500 && status != 501);
  return answer->error == NET_UNREACHABLE || answer->error == NET_TIMEOUT ||
         answer->error == NET_BROKEN || answer->error == NET_CUT;
}

static outcome judge(sending *self, const gs_request *request, const gs_answer *answer,
                     const objects_document *page, TF_Status *status) {
  const net_answer *head = &answer->head;
  if (head->error == NET_OK && head->status == RESUME) return take_progress(self, head, status);
  if (objects_is_success(head)) return take_object(self, page, status);
  gs_fail(status, request, answer);
  if (head->error == NET_INTERRUPTED) return FAILED;
  if (is_momentary(head)) return UNCLEAR;
  if (head->status == 404 || head->status == 410)
    return fail(self, TF_ABORTED, "the server has discarded the upload; write the file again",
                status);
  return FAILED;
}

/* "bytes 0-99/100"; "*" for a range that is only asked for, and for a length that is not known yet. */
static void write_range(const sending *self, char *line, size_t size) {
  char range[48] = "*", total[24] = "*";
  bool asks = self->unclear || self->at == self->end;
  if (!asks) snprintf(range, sizeof range, "%" PRIu64 "-%" PRIu64, self->at, self->end - 1);
  if (self->chunk->is_last) snprintf(total, sizeof total, "%" PRIu64, self->end);
  snprintf(line, size, "Content-Range: bytes %s/%s", range, total);
}

static outcome send_once(sending *self, int *refused, TF_Status *status) {
  char line[96];
  const char *const headers[] = {line, NULL};
  const gs_chunk *chunk = self->chunk;
  bool asks = self->unclear || self->at == self->end;
  self->asked = self->unclear;
  net_source source = {.length = asks ? 0 : self->end - self->at,
                       .bytes = asks ? "" : chunk->content.bytes + (self->at - chunk->from)};
  objects_document page = {.most = MOST_PAGE};
  const gs_request request = {operation,           "PUT",
                              chunk->name,         .place = GS_AT_PATH,
                              .more = chunk->path, .headers = headers,
                              .source = &source,   .sink = objects_document_sink(&page),
                              .once = true,        .deadline = self->deadline};
  gs_answer answer;
  write_range(self, line, sizeof line);
  TF_SetStatus(status, TF_OK, "");
  outcome found = FAILED;
  if (gs_request_send(self->filesystem, &request, &answer, status))
    found = judge(self, &request, &answer, &page, status);
  *refused = answer.head.status;
  gs_answer_end(&answer);
  objects_document_end(&page);
  return found;
}

/* Before the next request; false: it must not come. */
static bool pause_before(sending *self, outcome found, TF_Status *status) {
  if (found == UNCLEAR) self->unclear = true;
  if (found == GOES_ON && self->asked) return true;
  if (++self->idle > remote_number(self->filesystem, OBJECTS_RETRIES)) {
    if (found == GOES_ON)
      fail(self, TF_UNAVAILABLE, "the server takes no more bytes of the upload", status);
    return false;
  }
  if (found == GOES_ON && self->idle == 0) return true;
  int64_t wait = FIRST_PAUSE_MS << (self->idle < 6 ? self->idle : 6);
  int64_t then = net_now() + (wait < MOST_PAUSE_MS ? wait : MOST_PAUSE_MS);
  if (then >= self->deadline) return false;
  if (net_wait_until(remote_of(self->filesystem)->client, then)) return true;
  TF_SetStatus(status, TF_CANCELLED, "interrupted");
  return false;
}

/* A chunk that has grown beyond part_bytes has as many times of the option. */
static int64_t deadline_of(const TF_Filesystem *filesystem, const gs_chunk *chunk) {
  uint64_t more = chunk->content.length / (uint64_t)remote_number(filesystem, OBJECTS_PART_BYTES);
  return objects_deadline(filesystem) +
         (int64_t)more * remote_number(filesystem, OBJECTS_TOTAL_TIMEOUT_MS);
}

bool gs_session_send(const TF_Filesystem *filesystem, const gs_chunk *chunk, json_value **resource,
                     int *refused, TF_Status *status) {
  sending self = {.filesystem = filesystem,
                  .chunk = chunk,
                  .at = chunk->from,
                  .end = chunk->from + chunk->content.length,
                  .deadline = deadline_of(filesystem, chunk),
                  .resource = resource};
  outcome found = GOES_ON;
  *resource = NULL;
  do
    found = send_once(&self, refused, status);
  while ((found == GOES_ON || found == UNCLEAR) && pause_before(&self, found, status));
  if (found == GOES_ON && TF_GetCode(status) == TF_OK)
    fail(&self, TF_DEADLINE_EXCEEDED, "total timeout expired", status);
  return found == DONE;
}

void gs_session_cancel(const TF_Filesystem *filesystem, const objects_name *name,
                       const char *path) {
  TF_Status *status = TF_NewStatus();
  const gs_request request = {operation,           "DELETE",     name,
                              .place = GS_AT_PATH, .more = path, .cleans_up = true};
  gs_answer answer = {0};
  if (status) gs_request_send(filesystem, &request, &answer, status);
  gs_answer_end(&answer);
  TF_DeleteStatus(status);
}
