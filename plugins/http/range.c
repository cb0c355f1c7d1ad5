#include "range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(http_fetch *fetch, TF_Code code, const char *why) {
  fetch->code = code;
  fetch->why = why;
  return false;
}

/* Digits, and nothing else up to the character after them. */
static bool take_number(const char **text, uint64_t *number) {
  char *end = NULL;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  unsigned long long taken = strtoull(*text, &end, 10);
  *text = end;
  *number = taken;
  return errno == 0 && taken <= INT64_MAX;
}

static bool take(const char **text, char c) {
  return *(*text)++ == c;
}

/* "bytes 5-9/700000" */
static bool parse_range(const char *text, uint64_t *first, uint64_t *last, uint64_t *total) {
  if (strncmp(text, "bytes ", 6) != 0) return false;
  text += 6;
  return take_number(&text, first) && take(&text, '-') && take_number(&text, last) &&
         take(&text, '/') && take_number(&text, total) && *text == '\0' && *first <= *last &&
         *last < *total;
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
  char text[96];
  uint64_t first = 0, last = 0, total = 0, length = 0, end = fetch->offset + fetch->n;
  if (!net_answer_header(answer, "Content-Range", text, sizeof text) ||
      !parse_range(text, &first, &last, &total))
    return refuse(fetch, TF_DATA_LOSS, "a part without a Content-Range that makes sense");
  fetch->version.length = total;
  fetch->known = true;
  if (fetch->expected && !same_version(fetch->expected, &fetch->version))
    return refuse(fetch, TF_ABORTED, "the file has changed since it was opened; open it again");
  if (first != fetch->offset || last + 1 != (end < total ? end : total))
    return refuse(fetch, TF_DATA_LOSS, "another range came than was asked for");
  const char *digits = text;
  if (net_answer_header(answer, "Content-Length", text, sizeof text) &&
      (!take_number(&digits, &length) || length != last + 1 - first))
    return refuse(fetch, TF_DATA_LOSS, "Content-Length and Content-Range contradict each other");
  fetch->room = (size_t)(last + 1 - first);
  fetch->bytes = malloc(fetch->room);
  return fetch->bytes ? true : refuse(fetch, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static bool begin_whole(http_fetch *fetch, const net_answer *answer) {
  char text[96];
  const char *digits = text;
  fetch->whole = true;
  if (fetch->expected) {
    fetch->version.length = fetch->expected->length;
    return same_version(fetch->expected, &fetch->version)
               ? refuse(fetch, TF_DATA_LOSS, "the server ignores ranges, which it served before")
               : refuse(fetch, TF_ABORTED,
                        "the file has changed since it was opened; open it again");
  }
  fetch->known = net_answer_header(answer, "Content-Length", text, sizeof text) &&
                 take_number(&digits, &fetch->version.length);
  fetch->is_chunked = !fetch->known;
  if (fetch->head_only) return false;
  if (fetch->known && fetch->version.length > fetch->most)
    return refuse(fetch, TF_FAILED_PRECONDITION,
                  "the server serves no ranges, and the file is larger than whole_bytes");
  fetch->room = fetch->known ? (size_t)fetch->version.length : HTTP_BLOCK;
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
    return refuse(fetch, TF_FAILED_PRECONDITION, "the server sends it compressed, unasked");
  if (answer->status == 206) return begin_part(fetch, answer);
  if (answer->status == 200) return begin_whole(fetch, answer);
  return refuse(fetch, TF_DATA_LOSS, "success, but neither a file nor a part of one");
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
  if (!fetch->bytes) { /* the page that comes with an error */
    fetch->length += n;
    return fetch->length <= HTTP_BLOCK;
  }
  if (fetch->is_chunked && n > fetch->most - fetch->length)
    return refuse(fetch, TF_FAILED_PRECONDITION,
                  "the server serves no ranges, and the file is larger than whole_bytes");
  while (fetch->is_chunked && n > fetch->room - fetch->length)
    if (!grow(fetch)) return false;
  if (n > fetch->room - fetch->length)
    return refuse(fetch, TF_DATA_LOSS, "more came than was announced");
  memcpy(fetch->bytes + fetch->length, bytes, n);
  fetch->length += n;
  return true;
}

net_sink http_range_sink(http_fetch *fetch) {
  return (net_sink){.begin = begin, .write = add, .state = fetch};
}

/* An empty file has no first byte: "bytes *\/0". */
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
             : refuse(fetch, TF_DATA_LOSS, "less came than was announced");
}
