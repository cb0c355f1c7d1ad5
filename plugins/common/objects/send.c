#include "send.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filesystem.h"

enum { MOST_SKEW = 240 }; /* seconds that every service allows */

static bool begin(void *state, const net_answer *answer) {
  objects_document *document = state;
  (void)answer;
  document->length = 0;
  return true;
}

static bool add(void *state, const char *bytes, size_t n) {
  objects_document *document = state;
  if (n > document->most - document->length) return false;
  char *longer = realloc(document->bytes, document->length + n + 1);
  if (!longer) return false;
  memcpy(longer + document->length, bytes, n);
  document->bytes = longer;
  document->length += n;
  longer[document->length] = '\0';
  return true;
}

net_sink objects_document_sink(objects_document *document) {
  return (net_sink){.begin = begin, .write = add, .state = document};
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
  sent.sink = (net_sink){.begin = begin_split, .write = take, .state = &state};
  if (!sent.deadline) sent.deadline = objects_deadline(filesystem);
  net_perform(remote_of(filesystem)->client, &settings, &sent, answer);
  if (state.failed) return;
  free(page->bytes);
  page->bytes = NULL;
  page->length = 0;
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

bool objects_correct_clock(_Atomic(int64_t) *clock, const net_answer *answer) {
  char date[64];
  if (answer->status != 403 || !net_answer_header(answer, "Date", date, sizeof date)) return false;
  int64_t theirs = net_time(date), ours = time(NULL), known = atomic_load(clock);
  int64_t off = theirs - (ours + known);
  if (theirs == 0 || (off < MOST_SKEW && off > -MOST_SKEW)) return false;
  atomic_store(clock, theirs - ours);
  return true;
}

bool objects_is_success(const net_answer *answer) {
  return answer->error == NET_OK && answer->status >= 200 && answer->status < 300;
}
