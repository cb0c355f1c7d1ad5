/* One ranged GET, and the check that its response is that range of that version.
 *
 * The sink refuses a response at its head, before a byte of the body is stored: another version than
 * `expected`, another range than requested, or lengths that contradict each other. `code` and `why` say
 * what it refused; `code` is TF_OK while it accepts. Each attempt begins anew, so bytes of two attempts
 * are never joined.
 *
 * Of an empty object no range exists: a server answers 416 to the first request, and a HEAD must then
 * find length 0. If it does not, the object was replaced in between, and the fetch fails.
 *
 * Who frees: `bytes` is the caller's after success and freed here after a failure; with `piece` the
 * bytes go to the block cache instead. One thread uses a fetch; nothing of it is shared. */
#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

static bool refuse(store_fetch *fetch, TF_Code code, const char *why) {
  fetch->code = code;
  fetch->why = why;
  return false;
}

/* Unlike web servers, stores send all that was asked for. */
static const char *range_problem(const store_fetch *fetch, const net_answer *answer,
                                 const net_range *range) {
  uint64_t end = range->last + 1;
  bool less = end < range->total && end < fetch->offset + fetch->n;
  return less ? "the server sent less than requested"
              : net_range_problem(answer, range, fetch->offset, fetch->n);
}

/* Checks that the response is the requested range of the expected version. */
static bool accept(store_fetch *fetch, const net_answer *answer) {
  net_range range;
  objects_object object;
  if (answer->status != 206 || !net_answer_range(answer, &range) || range.total == 0)
    return refuse(fetch, TF_DATA_LOSS,
                  "no partial content, or partial content without Content-Range");
  fetch->service->read_head(answer, &object);
  object.length = range.total;
  if (!object.tag[0]) return refuse(fetch, TF_DATA_LOSS, "the response has no ETag");
  const store_version *expected = fetch->expected;
  if (expected && (range.total != expected->length || strcmp(object.tag, expected->tag) != 0))
    return refuse(fetch, TF_ABORTED, "the object has changed since it was opened; open it again");
  const char *problem = range_problem(fetch, answer, &range);
  if (problem) return refuse(fetch, TF_DATA_LOSS, problem);
  fetch->room = (size_t)(range.last + 1 - range.first);
  fetch->version.length = range.total;
  memcpy(fetch->version.tag, object.tag, sizeof object.tag);
  if (fetch->object) *fetch->object = object;
  return true;
}

static bool begin(void *state, const net_answer *answer) {
  store_fetch *fetch = state;
  free(fetch->bytes);
  fetch->bytes = NULL;
  fetch->length = fetch->room = 0;
  fetch->code = TF_OK;
  if (!accept(fetch, answer)) return false;
  if (fetch->piece) return true;
  fetch->bytes = malloc(fetch->room);
  return fetch->bytes ? true : refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static bool add(void *state, const char *bytes, size_t n) {
  store_fetch *fetch = state;
  if (n > fetch->room - fetch->length)
    return refuse(fetch, TF_DATA_LOSS, "more bytes were received than announced");
  if (!fetch->piece)
    memcpy(fetch->bytes + fetch->length, bytes, n);
  else if (!blocks_piece_take(fetch->piece, fetch->length, bytes, n))
    return refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
  fetch->length += n;
  return true;
}

/* An empty object has no first byte, so a HEAD gets its version. */
static bool take_empty(const TF_Filesystem *filesystem, store_fetch *fetch, TF_Status *status) {
  objects_object object;
  TF_SetStatus(status, TF_OK, "");
  if (!store_stat_object(filesystem, fetch->name, &object, &fetch->missing, status)) return false;
  if (object.length > 0) {
    objects_fail(status, TF_ABORTED, (objects_action){fetch->service->get_operation, fetch->name},
                 "the object keeps changing; open it again");
    return false;
  }
  if (fetch->object) *fetch->object = object;
  fetch->version = (store_version){.length = 0};
  snprintf(fetch->version.tag, sizeof fetch->version.tag, "%s", object.tag);
  return true;
}

static bool settle(const TF_Filesystem *filesystem, store_fetch *fetch, bool good, int code,
                   TF_Status *status) {
  const objects_action action = {fetch->service->get_operation, fetch->name};
  if (good && fetch->length == fetch->room) return true;
  if (good) refuse(fetch, TF_DATA_LOSS, "fewer bytes were received than announced");
  free(fetch->bytes);
  fetch->bytes = NULL;
  fetch->missing = code == 404;
  if (fetch->code != TF_OK)
    objects_fail(status, fetch->code, action, "HTTP status %d, but %s", code, fetch->why);
  else if (fetch->expected && (code == 412 || code == 416 || code == 404))
    objects_fail(status, TF_ABORTED, action,
                 "HTTP status %d: the object has changed since it was opened; open it again", code);
  else if (code == 416 && fetch->offset == 0)
    return take_empty(filesystem, fetch, status);
  return false;
}

bool store_fetch_run(const TF_Filesystem *filesystem, store_fetch *fetch, TF_Status *status) {
  const objects_get get = {.name = fetch->name,
                           .offset = fetch->offset,
                           .n = fetch->n,
                           .match = fetch->expected ? fetch->expected->tag : NULL,
                           .sink = {begin, add, fetch, .is_small = fetch->n <= BLOCKS_SIZE}};
  int code = 0;
  fetch->service = objects_service_of(filesystem);
  bool good = fetch->service->get(filesystem, &get, &code, status);
  return settle(filesystem, fetch, good, code, status);
}
