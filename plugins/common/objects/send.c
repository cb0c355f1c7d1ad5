#include "send.h"

#include <string.h>

#include "../wiped/wiped.h"
#include "filesystem.h"

enum { FIRST_ROOM = 1024 };

static bool begin(void *state, const net_answer *answer) {
  objects_document *document = state;
  (void)answer;
  document->length = 0;
  return true;
}

static bool make_room(objects_document *document, size_t wanted) {
  size_t room = wiped_size(document->bytes);
  if (room >= wanted) return true;
  room = room > 0 ? room : FIRST_ROOM;
  while (room < wanted)
    room *= 2;
  char *longer = wiped_change(document->bytes, room);
  if (longer) document->bytes = longer;
  return longer != NULL;
}

static bool add(void *state, const char *bytes, size_t n) {
  objects_document *document = state;
  if (n > document->most - document->length) return false;
  if (!make_room(document, document->length + n + 1)) return false;
  memcpy(document->bytes + document->length, bytes, n);
  document->length += n;
  document->bytes[document->length] = '\0';
  return true;
}

void objects_document_end(objects_document *document) {
  wiped_give(document->bytes);
  document->bytes = NULL;
  document->length = 0;
}

net_sink objects_document_sink(objects_document *document) {
  return (net_sink){begin, add, document, .is_small = true};
}

/* Separates the page of a failure from the content of a success. */
typedef struct split {
  const net_sink *sink;
  objects_document *page;
  bool failed;
} split;

static bool begin_split(void *state, const net_answer *answer) {
  split *self = state;
  self->failed = answer->status >= 300;
  self->page->length = 0;
  return self->failed || !self->sink->begin || self->sink->begin(self->sink->state, answer);
}

static bool take(void *state, const char *bytes, size_t n) {
  split *self = state;
  if (self->failed) return add(self->page, bytes, n);
  return !self->sink->write || self->sink->write(self->sink->state, bytes, n);
}

void objects_send(const TF_Filesystem *filesystem, const net_request *request, net_answer *answer,
                  objects_document *page) {
  split state = {.sink = &request->sink, .page = page};
  net_request sent = *request;
  const net_settings settings = objects_settings(filesystem);
  sent.sink = (net_sink){begin_split, take, &state, request->sink.is_small};
  if (!sent.deadline) sent.deadline = objects_deadline(filesystem);
  net_perform(remote_of(filesystem)->client, &settings, &sent, answer);
  if (state.failed) return;
  objects_document_end(page);
}

/* It lasts as long as its reader does, who waits for each read as long as for a request. */
net_stream *objects_start(const TF_Filesystem *filesystem, const net_request *request) {
  static const int64_t ages = (int64_t)1 << 40;
  net_request sent = *request;
  const net_settings settings = objects_settings(filesystem);
  sent.deadline = net_now() + ages;
  return net_stream_start(remote_of(filesystem)->client, &settings, &sent,
                          remote_number(filesystem, OBJECTS_TOTAL_TIMEOUT_MS));
}

net_settings objects_settings(const TF_Filesystem *filesystem) {
  return (net_settings){.connect_ms = remote_number(filesystem, OBJECTS_CONNECT_TIMEOUT_MS),
                        .idle_ms = remote_number(filesystem, OBJECTS_IDLE_TIMEOUT_MS),
                        .retries = remote_number(filesystem, OBJECTS_RETRIES),
                        .ca_file = remote_text(filesystem, OBJECTS_CA_FILE),
                        .user_agent = remote_text(filesystem, OBJECTS_USER_AGENT)};
}

int64_t objects_deadline(const TF_Filesystem *filesystem) {
  return net_now() + remote_number(filesystem, OBJECTS_TOTAL_TIMEOUT_MS);
}

bool objects_is_success(const net_answer *answer) {
  return answer->error == NET_OK && answer->status >= 200 && answer->status < 300;
}
