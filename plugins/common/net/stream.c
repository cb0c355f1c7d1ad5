/* A stream is an attempt that rests between two reads.
 *
 * Its reader's buffer is the target while net_stream_read runs. curl delivers its bytes in portions: what is
 * left of the last one waits in `spill`; with it there, curl is paused. Nothing is received while the stream
 * rests but what the sockets take, so the server waits.
 *
 * One thread at a time uses a stream; there is no lock. The attempt of an opened stream refers to the caller's
 * settings, request and answer until the head has come, and then to the copies here; that of a started one to
 * these from the beginning. It has ended, and its handle is back in the pool, once `has_ended` is set.
 *
 * Fork: a stream belongs to the process whose pid it has. A child only drops it: closing the connection
 * would end the TLS session that its parent still uses. */
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attempt.h"

struct net_stream {
  attempt attempt;
  net_settings settings;
  net_request request;
  net_answer answer;
  const net_sink *sink; /* the caller's, until the body flows; NULL: none */
  pid_t pid;
  bool flows;
  bool has_ended;
  int64_t most_ms; /* that one wait may take; 0: no limit but the deadline */
  char *target;
  size_t room;  /* of the target */
  size_t start; /* of what the spill has */
  size_t held;
  char spill[CURL_MAX_WRITE_SIZE];
};

static bool begin(void *state, const net_answer *answer) {
  net_stream *self = state;
  bool good = !self->sink || self->sink->begin(self->sink->state, answer);
  self->flows = good && (answer->status == 200 || answer->status == 206);
  return good;
}

static void take_to_target(net_stream *self, const char *bytes, size_t n) {
  memcpy(self->target, bytes, n);
  self->target += n;
  self->room -= n;
}

static bool take(void *state, const char *bytes, size_t n) {
  net_stream *self = state;
  if (!self->flows) return self->sink && self->sink->write(self->sink->state, bytes, n);
  size_t now = n < self->room ? n : self->room;
  if (now > 0) take_to_target(self, bytes, now);
  if (n - now > sizeof self->spill) return false;
  memcpy(self->spill, bytes + now, n - now);
  self->start = 0;
  self->held = n - now;
  return true;
}

/* Of curl's next portion: what is left of it fits as long as nothing else is there. */
static bool has_room(const void *state) {
  const net_stream *self = state;
  return !self->flows || self->held == 0;
}

static bool is_late(const net_stream *self) {
  return self->most_ms > 0 && net_now() - self->attempt.begun_at > self->most_ms;
}

static bool has_head(const void *state) {
  const net_stream *self = state;
  return self->flows || is_late(self);
}

static bool is_full(const void *state) {
  const net_stream *self = state;
  return self->room == 0 || is_late(self);
}

static void end(net_stream *self) {
  if (!self->has_ended) attempt_end(&self->attempt);
  self->has_ended = true;
}

/* Lets go of what is its opener's. */
static void leave_opener(net_stream *self) {
  self->settings = (net_settings){.idle_ms = self->attempt.settings->idle_ms};
  self->attempt.settings = &self->settings;
  self->request.url = NULL;
  self->request.headers = NULL;
  self->sink = NULL;
}

static void take_answer(net_stream *self, net_answer *answer) {
  self->answer = *answer;
  *answer = (net_answer){.status = self->answer.status, .attempts = 1};
  self->attempt.answer = &self->answer;
}

/* NULL without memory. */
static net_stream *stream_new(net_client *client, const net_settings *settings,
                              const net_request *request) {
  net_stream *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->request = *request;
  self->request.sink = (net_sink){.begin = begin, .write = take, .state = self};
  self->pid = getpid();
  self->attempt = (attempt){.settings = settings,
                            .request = &self->request,
                            .answer = &self->answer,
                            .client = client,
                            .has_room = has_room};
  return self;
}

net_stream *net_stream_open(net_client *client, const net_settings *settings,
                            const net_request *request, net_answer *answer) {
  net_stream *self = stream_new(client, settings, request);
  if (!self) {
    *answer = (net_answer){.error = NET_SHORT, .attempts = 1};
    snprintf(answer->text, sizeof answer->text, NET_NO_MEMORY);
    return NULL;
  }
  self->sink = &request->sink;
  self->attempt.answer = answer;
  answer->attempts = 1;
  if (attempt_begin(&self->attempt) && attempt_go_on(&self->attempt, has_head, self)) {
    leave_opener(self);
    take_answer(self, answer);
    return self;
  }
  end(self);
  free(self);
  return NULL;
}

net_stream *net_stream_start(net_client *client, const net_settings *settings,
                             const net_request *request, int64_t most_ms) {
  net_stream *self = stream_new(client, settings, request);
  if (!self) return NULL;
  self->most_ms = most_ms;
  if (attempt_begin(&self->attempt))
    attempt_nudge(&self->attempt);
  else
    end(self);
  leave_opener(self);
  return self;
}

static void begin_waiting(net_stream *self) {
  self->attempt.begun_at = self->attempt.seen_at = net_now();
}

bool net_stream_nudge(net_stream *self) {
  if (self->flows || !self->attempt.runs) return true;
  begin_waiting(self);
  attempt_nudge(&self->attempt);
  return self->flows;
}

const net_answer *net_stream_head(net_stream *self) {
  begin_waiting(self);
  if (!self->flows && !self->has_ended && !attempt_go_on(&self->attempt, has_head, self)) end(self);
  return self->flows ? &self->answer : NULL;
}

static void take_from_spill(net_stream *self) {
  size_t n = self->held < self->room ? self->held : self->room;
  take_to_target(self, self->spill + self->start, n);
  self->start += n;
  self->held -= n;
}

size_t net_stream_read(net_stream *self, char *buffer, size_t n, net_error *error) {
  self->target = buffer;
  self->room = n;
  begin_waiting(self);
  if (self->held > 0) take_from_spill(self);
  if (self->room > 0 && !self->has_ended) attempt_go_on(&self->attempt, is_full, self);
  if (self->room > 0) end(self);
  *error = self->room > 0 ? self->answer.error : NET_OK;
  return n - self->room;
}

const char *net_stream_text(const net_stream *self) {
  return self->answer.text;
}

bool net_stream_is_inherited(const net_stream *self) {
  return self->pid != getpid();
}

void net_stream_close(net_stream *self) {
  if (!self) return;
  if (!net_stream_is_inherited(self)) end(self);
  net_answer_end(&self->answer);
  free(self);
}
