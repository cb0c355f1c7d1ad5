/* States: keeping (no thread; `bytes` has what was written, from its start), streaming (a thread takes bytes
 * out of the ring `bytes`), failed (`code` is set: every call fails alike). A stream begins when the buffer
 * is full, and ends with hdfs_upload_end, after which it keeps again.
 *
 * The mutex guards start, count, is_ended, is_over and the failure while a thread runs; nothing is called
 * under it. `changed` is signalled at each change. Both sides look up from waiting every 50 ms: the writer
 * for its interruption, the thread for `ends`, which interrupt.h sets when the writer's call is to end.
 *
 * Who frees: the owner; hdfs_upload_free joins the thread. Fork: it belongs to the process `pid`; a child has
 * no thread, and frees only the memory. */
#include "upload.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../common/interrupt/interrupt.h"

enum { FIRST_SIZE = 64 * 1024, LOOK_MS = 50, PAUSE_MS = 100, EXCLUDED_SIZE = 400 };

struct hdfs_upload {
  const TF_Filesystem *filesystem;
  hdfs_goal *goal;
  pid_t pid;
  uint64_t length;
  char *bytes;
  size_t size; /* of bytes */
  size_t most; /* option buffer_bytes */
  size_t start;
  size_t count;
  bool streams;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool is_ended; /* no further bytes come */
  bool is_over;  /* the thread has ended its work */
  atomic_bool ends;
  TF_Code code;
  char message[1400];
};

hdfs_upload *hdfs_upload_new(const TF_Filesystem *filesystem, hdfs_goal *goal, TF_Status *status) {
  hdfs_upload *self = fail_or_allocate(sizeof *self, status);
  if (!self) return NULL;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&self->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&self->mutex, NULL);
  self->filesystem = filesystem;
  self->goal = goal;
  self->pid = getpid();
  self->most = (size_t)remote_number(filesystem, HDFS_BUFFER_BYTES);
  return self;
}

bool hdfs_upload_is_inherited(const hdfs_upload *self) {
  return self->pid != getpid();
}

void hdfs_upload_free(hdfs_upload *self) {
  if (!self) return;
  if (self->streams && !hdfs_upload_is_inherited(self)) {
    atomic_store(&self->ends, true);
    pthread_join(self->thread, NULL);
  }
  if (!hdfs_upload_is_inherited(self)) {
    pthread_mutex_destroy(&self->mutex);
    pthread_cond_destroy(&self->changed);
  }
  free(self->bytes);
  free(self);
}

uint64_t hdfs_upload_length(const hdfs_upload *self) {
  return self->length;
}

size_t hdfs_upload_kept(const hdfs_upload *self) {
  return self->streams ? 0 : self->count;
}

bool hdfs_upload_streams(const hdfs_upload *self) {
  return self->streams;
}

static void keep_failure(hdfs_upload *self, const TF_Status *status) {
  self->code = TF_GetCode(status);
  snprintf(self->message, sizeof self->message, "%s", TF_Message(status));
}

/* Reports the failure that is kept; whether there is none. */
static bool is_well(const hdfs_upload *self, TF_Status *status) {
  if (self->code == TF_OK) return true;
  TF_SetStatus(status, self->code, self->message);
  return false;
}

/* The lock is held. */
static void wait_a_while(hdfs_upload *self) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += LOOK_MS * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&self->changed, &self->mutex, &until);
}

/* The thread ------------------------------------------------------------------------------- */

static size_t take_from_ring(hdfs_upload *self, char *buffer, size_t n) {
  size_t first = self->size - self->start;
  if (n > self->count) n = self->count;
  if (first > n) first = n;
  memcpy(buffer, self->bytes + self->start, first);
  memcpy(buffer + first, self->bytes, n - first);
  self->start = (self->start + n) % self->size;
  self->count -= n;
  return n;
}

static size_t read_ring(void *state, char *buffer, size_t n) {
  hdfs_upload *self = state;
  pthread_mutex_lock(&self->mutex);
  while (self->count == 0 && !self->is_ended && !atomic_load(&self->ends))
    wait_a_while(self);
  size_t taken = atomic_load(&self->ends) ? NET_SOURCE_FAILED : take_from_ring(self, buffer, n);
  pthread_cond_broadcast(&self->changed);
  pthread_mutex_unlock(&self->mutex);
  return taken;
}

static bool find_data_node(const TF_Filesystem *filesystem, const hdfs_goal *goal,
                           const char *excluded, hdfs_answer *answer, TF_Status *status) {
  char query[EXCLUDED_SIZE + sizeof goal->query + 64];
  snprintf(query, sizeof query, "%s%s%s", goal->appends ? "" : "&overwrite=true&createparent=false",
           goal->appends ? "" : goal->query, excluded);
  const hdfs_call call = {.method = goal->appends ? "POST" : "PUT",
                          .op = goal->appends ? "APPEND" : "CREATE",
                          .query = query,
                          .redirects = true};
  return hdfs_call_run(filesystem, &goal->name, &call, answer, status);
}

static void *stream(void *state) {
  hdfs_upload *self = state;
  const net_source source = {.length = NET_UNKNOWN_LENGTH, .read = read_ring, .state = self};
  TF_Status *status = TF_NewStatus();
  hdfs_answer answer = {.http_status = 0};
  hdfs_error error;
  interrupt_follow(&self->ends);
  if (status && find_data_node(self->filesystem, self->goal, "", &answer, status)) {
    const hdfs_transfer transfer = {.method = self->goal->appends ? "POST" : "PUT",
                                    .op = self->goal->appends ? "APPEND" : "CREATE",
                                    .url = answer.location,
                                    .source = &source,
                                    .is_endless = true};
    hdfs_transfer_run(self->filesystem, &transfer, &error, status);
  }
  hdfs_answer_fini(&answer);
  pthread_mutex_lock(&self->mutex);
  self->is_over = true;
  if (self->code != TF_OK) {
    /* It was given up: what the request says about that is of no interest. */
  } else if (!status) {
    self->code = TF_RESOURCE_EXHAUSTED;
    snprintf(self->message, sizeof self->message, "out of memory");
  } else if (!hdfs_ok(status)) {
    keep_failure(self, status);
  } else if (self->count > 0 || !self->is_ended) {
    self->code = TF_UNAVAILABLE;
    snprintf(self->message, sizeof self->message,
             "%s: the data node responded before it had all bytes",
             self->goal->appends ? "APPEND" : "CREATE");
  }
  pthread_cond_broadcast(&self->changed);
  pthread_mutex_unlock(&self->mutex);
  TF_DeleteStatus(status);
  return NULL;
}

/* The writer ------------------------------------------------------------------------------- */

static bool start(hdfs_upload *self, TF_Status *status) {
  self->is_ended = self->is_over = false;
  atomic_store(&self->ends, false);
  sigset_t all, before; /* handlers run on the host's own threads */
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int problem = pthread_create(&self->thread, NULL, stream, self);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (problem) {
    TF_SetStatusFromIOError(status, problem, "no thread can be started");
    return false;
  }
  self->streams = true;
  return true;
}

static bool grow(hdfs_upload *self, size_t n, TF_Status *status) {
  size_t wanted = self->count + n, size = self->size ? self->size : FIRST_SIZE;
  if (wanted > self->most) wanted = self->most;
  while (size < wanted)
    size *= 2;
  if (size > self->most) size = self->most;
  if (size <= self->size) return true;
  char *larger = realloc(self->bytes, size);
  if (!larger) return fail_no_memory(status);
  self->bytes = larger;
  self->size = size;
  return true;
}

/* Waits until the ring has room; false where the stream has failed, or the call is to end. */
static bool wait_for_room(hdfs_upload *self, TF_Status *status) {
  while (self->count == self->size && !self->is_over) {
    if (interrupt_is_wanted()) {
      atomic_store(&self->ends, true);
      self->code = TF_CANCELLED;
      snprintf(self->message, sizeof self->message, "interrupted");
      break;
    }
    wait_a_while(self);
  }
  return is_well(self, status);
}

static size_t put_into_ring(hdfs_upload *self, const char *bytes, size_t n) {
  size_t end = (self->start + self->count) % self->size, room = self->size - self->count;
  if (n > room) n = room;
  size_t first = self->size - end < n ? self->size - end : n;
  memcpy(self->bytes + end, bytes, first);
  memcpy(self->bytes, bytes + first, n - first);
  self->count += n;
  return n;
}

static bool push(hdfs_upload *self, const char *bytes, size_t n, TF_Status *status) {
  bool good = true;
  pthread_mutex_lock(&self->mutex);
  while (n > 0 && (good = wait_for_room(self, status))) {
    size_t put = put_into_ring(self, bytes, n);
    bytes += put;
    n -= put;
    self->length += put;
    pthread_cond_broadcast(&self->changed);
  }
  pthread_mutex_unlock(&self->mutex);
  return good;
}

bool hdfs_upload_append(hdfs_upload *self, const char *bytes, size_t n, TF_Status *status) {
  if (hdfs_upload_is_inherited(self))
    return fail_with(status, TF_FAILED_PRECONDITION, "the file belongs to the parent process");
  if (!self->streams && !is_well(self, status)) return false;
  if (n == 0) return true;
  if (!self->streams) {
    if (!grow(self, n, status)) return false;
    size_t put = put_into_ring(self, bytes, n);
    self->length += put;
    bytes += put;
    n -= put;
    if (n > 0 && !start(self, status)) return false;
  }
  return n == 0 || push(self, bytes, n, status);
}

bool hdfs_upload_end(hdfs_upload *self, TF_Status *status) {
  if (!self->streams) return is_well(self, status);
  pthread_mutex_lock(&self->mutex);
  self->is_ended = true;
  pthread_cond_broadcast(&self->changed);
  pthread_mutex_unlock(&self->mutex);
  interrupt_join(self->thread, &self->ends);
  self->streams = false;
  if (!is_well(self, status)) return false;
  self->start = self->count = 0;
  return true;
}

/* What is there of an append whose answer was lost: true when it is settled, with or without a failure. */
static bool settle_append(hdfs_upload *self, const hdfs_goal *goal, uint64_t base, bool *good,
                          TF_Status *status) {
  hdfs_status found;
  TF_Status *other = TF_NewStatus();
  bool told = other && hdfs_call_status(self->filesystem, &goal->name, &found, other);
  TF_DeleteStatus(other);
  if (!told) return true;
  uint64_t length = (uint64_t)found.length;
  if (length == base) return false;
  *good = length == base + self->count;
  if (*good)
    TF_SetStatus(status, TF_OK, "");
  else
    fail_with(status, TF_DATA_LOSS,
              "APPEND: the data node failed, and the file has %llu bytes now instead of %llu",
              (unsigned long long)length, (unsigned long long)(base + self->count));
  return true;
}

static bool send_once(hdfs_upload *self, const hdfs_goal *goal, char excluded[EXCLUDED_SIZE],
                      bool *was_sent, TF_Status *status) {
  const net_source source = {.length = self->count, .bytes = self->bytes ? self->bytes : ""};
  hdfs_answer answer = {.http_status = 0};
  hdfs_error error;
  bool good = find_data_node(self->filesystem, goal, excluded, &answer, status);
  *was_sent = good;
  if (good) {
    const hdfs_transfer transfer = {.method = goal->appends ? "POST" : "PUT",
                                    .op = goal->appends ? "APPEND" : "CREATE",
                                    .url = answer.location,
                                    .source = &source};
    good = hdfs_transfer_run(self->filesystem, &transfer, &error, status);
    if (!good && !hdfs_exclude(answer.location, excluded, EXCLUDED_SIZE)) *excluded = '\0';
  } else {
    *excluded = '\0';
  }
  hdfs_answer_fini(&answer);
  return good;
}

/* ABORTED: another writer holds the file, or the server recovers it from one that has died. */
static bool is_momentary(TF_Code code) {
  return code == TF_UNAVAILABLE || code == TF_DATA_LOSS || code == TF_DEADLINE_EXCEEDED ||
         code == TF_ABORTED;
}

bool hdfs_upload_send(hdfs_upload *self, const hdfs_goal *goal, uint64_t base, TF_Status *status) {
  char excluded[EXCLUDED_SIZE] = "";
  int64_t retries = remote_number(self->filesystem, HDFS_RETRIES);
  int64_t deadline = net_now() + remote_number(self->filesystem, HDFS_TOTAL_TIMEOUT_MS);
  bool good = false, was_sent = false;
  for (int64_t attempt = 0; is_well(self, status); attempt++) {
    good = send_once(self, goal, excluded, &was_sent, status);
    if (good || !is_momentary(TF_GetCode(status))) break;
    if (goal->appends && was_sent && settle_append(self, goal, base, &good, status)) break;
    int64_t then = net_now() + PAUSE_MS * (attempt + 1);
    if (attempt >= retries || then >= deadline) break;
    if (!net_wait_until(remote_of(self->filesystem)->client, then)) {
      fail_with(status, TF_CANCELLED, "interrupted");
      break;
    }
    TF_SetStatus(status, TF_OK, "");
  }
  if (good)
    self->start = self->count = 0;
  else if (self->code == TF_OK)
    keep_failure(self, status);
  return good;
}
