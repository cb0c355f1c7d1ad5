/* The sink of a ranged GET: checks the head of a response, then takes its body.
 *
 * A fetch belongs to one request. curl calls the sink on the thread that performs the request, so
 * nothing here is shared and there is no lock.
 *
 * States of a fetch: `begin` resets it, because each attempt and each redirect starts anew; then it is
 * a part (206), a whole file (200), the part of a whole file that was asked for (200 to a file opened with
 * ranges), or the page of an error (300 and above, counted and dropped). A part may have fewer bytes than
 * were asked for. A piece of the block cache keeps what an earlier attempt wrote; the next one overwrites it.
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

static const char lack_of_ranges[] = "ranges", lack_of_length[] = "length";

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

static bool is_named(const http_version *version) {
  return version->tag[0] || version->modified[0];
}

static bool same_version(const http_version *a, const http_version *b) {
  if (a->length != b->length || strcmp(a->tag, b->tag) != 0) return false;
  return a->tag[0] != '\0' || strcmp(a->modified, b->modified) == 0;
}

/* Without a total the length is that of the version that is expected, if this is one that has a name. */
static bool take_length(http_fetch *fetch, const net_range *range) {
  fetch->version.length = range->total;
  if (range->total == 0 && fetch->expected && is_named(&fetch->version))
    fetch->version.length = fetch->expected->length;
  return fetch->version.length > range->last;
}

static bool begin_part(http_fetch *fetch, const net_answer *answer) {
  net_range range;
  if (fetch->lack)
    return refuse(fetch, TF_DATA_LOSS, "the server sent a part where the whole was requested");
  if (!net_answer_range(answer, &range) || !take_length(fetch, &range))
    return refuse(fetch, TF_DATA_LOSS, "partial content without a valid Content-Range");
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

static bool refuse_large(http_fetch *fetch) {
  bool unknown = fetch->lack && strcmp(fetch->lack, lack_of_length) == 0;
  return refuse(
      fetch, TF_FAILED_PRECONDITION,
      unknown
          ? "the server does not report the length of the file with a range, and the file is "
            "larger "
            "than option whole_bytes"
          : "the server does not support ranges, and the file is larger than option whole_bytes");
}

/* The server may ignore a range: what was requested is then somewhere in the whole. */
static bool begin_within(http_fetch *fetch, const net_answer *answer) {
  uint64_t left = fetch->expected->length - fetch->offset;
  if (!net_answer_length(answer, &fetch->version.length))
    fetch->version.length = is_named(&fetch->version) ? fetch->expected->length : 0;
  if (!same_version(fetch->expected, &fetch->version))
    return refuse(fetch, TF_ABORTED, "the file has changed since it was opened; open it again");
  fetch->known = fetch->is_within = true;
  fetch->skip = fetch->offset;
  fetch->room = (size_t)(fetch->n < left ? fetch->n : left);
  return true;
}

static bool begin_whole(http_fetch *fetch, const net_answer *answer) {
  if (fetch->expected) return begin_within(fetch, answer);
  fetch->whole = true;
  fetch->known = net_answer_length(answer, &fetch->version.length);
  fetch->has_no_length = !fetch->known;
  if (fetch->head_only) return false;
  if (fetch->known && fetch->version.length > fetch->most) return refuse_large(fetch);
  fetch->room = fetch->known ? (size_t)fetch->version.length : BLOCKS_SIZE;
  fetch->bytes = malloc(fetch->room ? fetch->room : 1);
  return fetch->bytes ? true : refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static void forget(http_fetch *fetch) {
  free(fetch->bytes);
  fetch->bytes = NULL;
  fetch->length = fetch->room = 0;
  fetch->known = fetch->whole = fetch->has_no_length = fetch->is_within = false;
  fetch->skip = 0;
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
  if (answer->status == 200 || answer->status == 203) return begin_whole(fetch, answer);
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

/* Drops what precedes the range, and what follows it; returns how many bytes are left. */
static size_t narrow(http_fetch *fetch, const char **bytes, size_t n) {
  size_t before = fetch->skip < n ? (size_t)fetch->skip : n, room = fetch->room - fetch->length;
  fetch->skip -= before;
  *bytes += before;
  return n - before < room ? n - before : room;
}

/* Makes room for n bytes more, as far as whole_bytes allows. */
static bool make_room(http_fetch *fetch, size_t n) {
  if (fetch->has_no_length && n > fetch->most - fetch->length) return refuse_large(fetch);
  while (fetch->has_no_length && n > fetch->room - fetch->length)
    if (!grow(fetch)) return false;
  return n <= fetch->room - fetch->length ||
         refuse(fetch, TF_DATA_LOSS, "more bytes were received than announced");
}

static bool is_error_page(const http_fetch *fetch) {
  return !fetch->bytes && (!fetch->piece || fetch->room == 0);
}

static bool add(void *state, const char *bytes, size_t n) {
  http_fetch *fetch = state;
  if (is_error_page(fetch)) {
    fetch->length += n;
    return fetch->length <= BLOCKS_SIZE;
  }
  if (fetch->is_within) n = narrow(fetch, &bytes, n);
  if (!make_room(fetch, n)) return false;
  if (fetch->bytes)
    memcpy(fetch->bytes + fetch->length, bytes, n);
  else if (!blocks_piece_take(fetch->piece, fetch->at + fetch->length, bytes, n))
    return refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
  fetch->length += n;
  return !fetch->is_within || fetch->length < fetch->room;
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

const char *http_range_lack(const http_fetch *fetch, const net_answer *answer) {
  net_range range;
  uint64_t length = 0;
  if (fetch->expected || fetch->lack) return NULL;
  if (answer->status == 403 || answer->status == 416) return lack_of_ranges;
  if (answer->status != 206 || fetch->code != TF_DATA_LOSS) return NULL;
  bool empty = net_answer_length(answer, &length) && length == 0;
  if (empty || !net_answer_range(answer, &range)) return lack_of_ranges;
  return range.total == 0 ? lack_of_length : NULL;
}

/* A transfer that add has stopped because it had what it wanted, or that ended well. */
static bool has_ended_well(const http_fetch *fetch, const net_answer *answer) {
  return answer->error == NET_OK || (fetch->is_within && fetch->length == fetch->room);
}

bool http_range_complete(http_fetch *fetch, const net_answer *answer) {
  if (!fetch->expected && is_empty(fetch, answer)) return true;
  if (fetch->code != TF_OK || answer->status >= 300 || answer->status == 0) return false;
  if (fetch->whole && fetch->head_only) return true;
  if (!has_ended_well(fetch, answer)) return false;
  if (fetch->has_no_length) {
    fetch->version.length = fetch->room = fetch->length;
    fetch->known = true;
  }
  return fetch->length == fetch->room ||
         refuse(fetch, TF_DATA_LOSS, "fewer bytes were received than announced");
}
