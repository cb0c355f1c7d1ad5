/* The sink of a ranged GET: checks the head of a response, then takes its body.
 *
 * A fetch belongs to one request. curl calls the sink on the thread that performs the request, so
 * nothing here is shared and there is no lock.
 *
 * States of a fetch: `begin` resets it, because each attempt and each redirect starts anew; then it is
 * a part (206), a whole file (200), or the page of an error (300 and above, counted and dropped). A
 * piece of the block cache keeps what an earlier attempt wrote; the next one overwrites it.
 *
 * Content never exceeds `room`, and no byte is of another version: where `expected` is set, a head with
 * a different version stops the request before its body. `code` and `why` are set when the sink itself
 * stopped; after success `code` is TF_OK.
 *
 * Who frees: `bytes` and `url` belong to the fetch, http_fetch_end frees them; the piece is the
 * reader's. Fork: nothing outlives a request. */
#include "range.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(http_fetch *fetch, TF_Code code, const char *why) {
  fetch->code = code;
  fetch->why = why;
  return false;
}

static void read_version(http_version *version, const net_answer *answer) {
  version->tag[0] = version->modified[0] = '\0';
  net_answer_header(answer, "ETag", version->tag, sizeof version->tag);
  net_answer_header(answer, "Last-Modified", version->modified, sizeof version->modified);
}

static bool same_version(const http_version *a, const http_version *b) {
  if (a->length != b->length || strcmp(a->tag, b->tag) != 0) return false;
  return a->tag[0] != '\0' || strcmp(a->modified, b->modified) == 0;
}

static bool begin_part(http_fetch *fetch, const net_answer *answer) {
  net_range range;
  if (!net_answer_range(answer, &range))
    return refuse(fetch, TF_DATA_LOSS, "partial content without a valid Content-Range");
  fetch->version.length = range.total;
  fetch->known = true;
  if (fetch->expected && !same_version(fetch->expected, &fetch->version))
    return refuse(fetch, TF_ABORTED, "the file has changed since it was opened; open it again");
  const char *problem = net_range_problem(answer, &range, fetch->offset, fetch->n);
  if (problem) return refuse(fetch, TF_DATA_LOSS, problem);
  fetch->room = (size_t)(range.last + 1 - range.first);
  if (fetch->piece) return true;
  fetch->bytes = malloc(fetch->room);
  return fetch->bytes ? true : refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static bool begin_whole(http_fetch *fetch, const net_answer *answer) {
  fetch->whole = true;
  if (fetch->expected) {
    fetch->version.length = fetch->expected->length;
    return same_version(fetch->expected, &fetch->version)
               ? refuse(fetch, TF_DATA_LOSS,
                        "the server ignored the range, though it served ranges before")
               : refuse(fetch, TF_ABORTED,
                        "the file has changed since it was opened; open it again");
  }
  fetch->known = net_answer_length(answer, &fetch->version.length);
  fetch->is_chunked = !fetch->known;
  if (fetch->head_only) return false;
  if (fetch->known && fetch->version.length > fetch->most)
    return refuse(
        fetch, TF_FAILED_PRECONDITION,
        "the server does not support ranges, and the file is larger than option whole_bytes");
  fetch->room = fetch->known ? (size_t)fetch->version.length : BLOCKS_SIZE;
  fetch->bytes = malloc(fetch->room ? fetch->room : 1);
  return fetch->bytes ? true : refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static void forget(http_fetch *fetch) {
  free(fetch->bytes);
  fetch->bytes = NULL;
  fetch->length = fetch->room = 0;
  fetch->known = fetch->whole = fetch->is_chunked = false;
  fetch->code = TF_OK;
  fetch->why = NULL;
}

static bool begin(void *state, const net_answer *answer) {
  http_fetch *fetch = state;
  char coding[32];
  forget(fetch);
  if (answer->status >= 300) return true;
  read_version(&fetch->version, answer);
  if (net_answer_header(answer, "Content-Encoding", coding, sizeof coding) &&
      strcmp(coding, "identity") != 0)
    return refuse(fetch, TF_FAILED_PRECONDITION,
                  "the server sent compressed content that was not requested");
  if (answer->status == 206) return begin_part(fetch, answer);
  if (answer->status == 200) return begin_whole(fetch, answer);
  return refuse(fetch, TF_DATA_LOSS, "the response is neither a file nor a part of one");
}

static bool grow(http_fetch *fetch) {
  size_t room = fetch->room * 2;
  char *bytes = realloc(fetch->bytes, room);
  if (!bytes) return refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
  fetch->bytes = bytes;
  fetch->room = room;
  return true;
}

static bool add(void *state, const char *bytes, size_t n) {
  http_fetch *fetch = state;
  if (!fetch->bytes &&
      (!fetch->piece || fetch->room == 0)) { /* the page that comes with an error */
    fetch->length += n;
    return fetch->length <= BLOCKS_SIZE;
  }
  if (fetch->is_chunked && n > fetch->most - fetch->length)
    return refuse(
        fetch, TF_FAILED_PRECONDITION,
        "the server does not support ranges, and the file is larger than option whole_bytes");
  while (fetch->is_chunked && n > fetch->room - fetch->length)
    if (!grow(fetch)) return false;
  if (n > fetch->room - fetch->length)
    return refuse(fetch, TF_DATA_LOSS, "more bytes were received than announced");
  if (fetch->bytes)
    memcpy(fetch->bytes + fetch->length, bytes, n);
  else if (!blocks_piece_take(fetch->piece, fetch->length, bytes, n))
    return refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
  fetch->length += n;
  return true;
}

net_sink http_range_sink(http_fetch *fetch) {
  return (net_sink){.begin = begin, .write = add, .state = fetch};
}

/* An empty file has no first byte, so the server answers 416 with "bytes *\/0". */
static bool is_empty(http_fetch *fetch, const net_answer *answer) {
  char text[96];
  if (answer->status != 416 || fetch->offset > 0 ||
      !net_answer_header(answer, "Content-Range", text, sizeof text) ||
      strcmp(text, "bytes */0") != 0)
    return false;
  read_version(&fetch->version, answer);
  fetch->version.length = fetch->length = 0;
  fetch->known = fetch->whole = true;
  return true;
}

bool http_range_complete(http_fetch *fetch, const net_answer *answer) {
  if (!fetch->expected && is_empty(fetch, answer)) return true;
  if (fetch->code != TF_OK || answer->status >= 300 || answer->status == 0) return false;
  if (fetch->whole && fetch->head_only) return true;
  if (answer->error != NET_OK) return false;
  if (fetch->is_chunked) {
    fetch->version.length = fetch->length;
    fetch->known = true;
  }
  return fetch->length == (fetch->is_chunked ? fetch->length : fetch->room)
             ? true
             : refuse(fetch, TF_DATA_LOSS, "fewer bytes were received than announced");
}
