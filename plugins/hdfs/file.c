/* A file opened for reading. A short one is read when it is opened; of a longer one the pieces that are
 * asked for.
 *
 * It is constant from open to close, but for the reader's two hints, `by_path` and `flow`, which are atomics; so
 * any number of threads may read it without a lock. It is tied to the inode that its path had at open, and reads
 * /.reserved/.inodes/ID: a file that replaces it has another one. Where the server does not tell inodes, or
 * cannot open them (a router in front of several clusters), reads go by the path.
 *
 * Each request first asks the name node for a data node. One that fails is excluded from the next attempt.
 *
 * Who reads on takes its pieces from a flow: one request for the rest of the file, which rests in `flow` between
 * two reads. The thread that reads on takes it out of there, so a flow has one reader at a time, and puts it back
 * afterwards; where another one rests there by then, that ends.
 *
 * Who frees: the file owns its strings, the key and the flow that rests; blocks are the cache's. Fork: a file has
 * no thread. A child leaves the connection of its parent's flow as it is (net/stream.c), and begins its own. */
#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/net/code.h"
#include "../common/remote/file.h"
#include "../common/remote/format.h"
#include "call.h"
#include "stat.h"

enum { PAUSE_MS = 100, EXCLUDED_SIZE = 400 };

/* The rest of the file, on its way from a data node. */
typedef struct flow {
  net_stream *stream;
  uint64_t offset; /* of its next byte */
} flow;

typedef struct hdfs_file {
  remote_file base;
  hdfs_name name;
  hdfs_name inode;
  atomic_bool by_path;
  hdfs_status status; /* at open */
  flow *_Atomic flow; /* while nobody reads it; NULL: none */
} hdfs_file;

/* The bytes of one attempt. */
typedef struct taking {
  uint64_t offset;
  uint64_t n;
  blocks_piece *piece; /* NULL: bytes receives them */
  char *bytes;
  net_stream **stream; /* NULL: all of them are received at once */
  size_t got;
  const char *problem;
} taking;

static bool begin(void *state, const net_answer *answer) {
  taking *self = state;
  uint64_t length;
  self->got = 0;
  if (net_answer_length(answer, &length) && length != self->n)
    self->problem = "the data node sends another number of bytes than requested";
  return !self->problem;
}

static bool take(void *state, const char *bytes, size_t n) {
  taking *self = state;
  if (n > self->n - self->got) self->problem = "the data node sends more bytes than requested";
  if (self->problem) return false;
  if (self->bytes)
    memcpy(self->bytes + self->got, bytes, n);
  else if (!blocks_piece_take(self->piece, self->got, bytes, n))
    self->problem = "out of memory";
  self->got += n;
  return !self->problem;
}

/* Asks the name node for a data node, and that for the bytes. It goes into excluded, for another attempt. */
static bool ask(const hdfs_file *self, taking *taken, char excluded[EXCLUDED_SIZE],
                TF_Status *status) {
  char query[EXCLUDED_SIZE + 80];
  hdfs_answer answer = {.http_status = 0};
  hdfs_error error;
  snprintf(query, sizeof query, "&offset=%" PRIu64 "&length=%" PRIu64 "%s", taken->offset, taken->n,
           excluded);
  const hdfs_call call = {.method = "GET", .op = "OPEN", .query = query, .redirects = true};
  const hdfs_name *name = atomic_load(&self->by_path) ? &self->name : &self->inode;
  *excluded = '\0'; /* without an answer: all others may be down, and this one up again */
  bool good = hdfs_call_run(self->base.filesystem, name, &call, &answer, status);
  if (good) {
    const hdfs_transfer transfer = {.method = "GET",
                                    .op = "OPEN",
                                    .url = answer.location,
                                    .sink = {.begin = begin, .write = take, .state = taken},
                                    .is_endless = taken->stream != NULL,
                                    .stream = taken->stream};
    if (!hdfs_exclude(answer.location, excluded, EXCLUDED_SIZE)) *excluded = '\0';
    good = hdfs_transfer_run(self->base.filesystem, &transfer, &error, status);
    if (taken->problem) good = fail_with(status, TF_DATA_LOSS, "OPEN: %s", taken->problem);
  }
  hdfs_answer_fini(&answer);
  return good;
}

static bool fail_short(TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "OPEN: the data node sends fewer bytes than requested");
}

static bool fetch_once(hdfs_file *self, const taking *wanted, char excluded[EXCLUDED_SIZE],
                       TF_Status *status) {
  taking taken = *wanted;
  return ask(self, &taken, excluded, status) && (taken.got == taken.n || fail_short(status));
}

static void flow_end(flow *ended) {
  if (!ended) return;
  net_stream_close(ended->stream);
  free(ended);
}

/* Reads the piece from the flow. */
static bool pour(flow *from, const taking *wanted, TF_Status *status) {
  const blocks_next next = {wanted->offset, (size_t)wanted->n, wanted->bytes, wanted->piece, 0};
  size_t room = 0;
  for (size_t at = 0; at < next.n; at += room) {
    net_error error = NET_OK;
    char *place = blocks_next_room(&next, at, &room);
    if (!place) return fail_no_memory(status);
    size_t got = net_stream_read(from->stream, place, room, &error);
    if (error != NET_OK)
      return fail_with(status, net_code_of_error(error), "OPEN: %s", net_stream_text(from->stream));
    if (got < room) return fail_short(status);
    from->offset += got;
  }
  blocks_next_tell(&next);
  return true;
}

/* The piece is read: the flow rests until it goes on. */
static void rest(hdfs_file *self, flow *from) {
  bool goes_on = from->offset < self->base.reader.length;
  flow_end(goes_on ? atomic_exchange(&self->flow, from) : from);
}

static bool flow_once(hdfs_file *self, const taking *wanted, char excluded[EXCLUDED_SIZE],
                      TF_Status *status) {
  flow *made = fail_or_allocate(sizeof *made, status);
  if (!made) return false;
  made->offset = wanted->offset;
  taking taken = {.offset = wanted->offset,
                  .n = self->base.reader.length - wanted->offset,
                  .stream = &made->stream};
  bool good = ask(self, &taken, excluded, status) && pour(made, wanted, status);
  if (good)
    rest(self, made);
  else
    flow_end(made);
  return good;
}

/* The inode is missing: the file is gone, or is another one now, or inodes cannot be opened here. */
static bool is_there_by_path(hdfs_file *self) {
  hdfs_status found;
  TF_Status *status = TF_NewStatus();
  bool there = status && hdfs_call_status(self->base.filesystem, &self->name, &found, status);
  TF_DeleteStatus(status);
  there = there && found.id == self->status.id && !atomic_load(&self->by_path);
  if (there) atomic_store(&self->by_path, true);
  return there;
}

static bool is_momentary(TF_Code code) {
  return code == TF_UNAVAILABLE || code == TF_DATA_LOSS || code == TF_DEADLINE_EXCEEDED ||
         code == TF_FAILED_PRECONDITION;
}

typedef bool attempt(hdfs_file *self, const taking *wanted, char excluded[EXCLUDED_SIZE],
                     TF_Status *status);

/* Repeats the attempt where that is useful. */
static bool fetch(hdfs_file *self, const taking *wanted, attempt *once, TF_Status *status) {
  char excluded[EXCLUDED_SIZE] = "";
  int64_t retries = remote_number(self->base.filesystem, HDFS_RETRIES);
  int64_t deadline = net_now() + remote_number(self->base.filesystem, HDFS_TOTAL_TIMEOUT_MS);
  for (int64_t number = 0;; number++) {
    if (once(self, wanted, excluded, status)) return true;
    TF_Code code = TF_GetCode(status);
    bool elsewhere = code == TF_NOT_FOUND && is_there_by_path(self);
    if (code == TF_NOT_FOUND && !elsewhere)
      return fail_with(status, TF_ABORTED,
                       "the file was deleted or replaced since it was opened; open it again");
    int64_t then = net_now() + PAUSE_MS * (number + 1);
    if (!(elsewhere || is_momentary(code)) || number >= retries || then >= deadline) return false;
    if (!net_wait_until(remote_of(self->base.filesystem)->client, then))
      return fail_with(status, TF_CANCELLED, "interrupted");
    TF_SetStatus(status, TF_OK, "");
  }
}

/* Reads the piece from the flow that rests, if it has come to this offset; whether that is done. */
static bool go_on(hdfs_file *self, const taking *wanted, TF_Status *status) {
  flow *from = atomic_exchange(&self->flow, NULL);
  bool fits = from && from->offset == wanted->offset && !net_stream_is_inherited(from->stream);
  bool good = fits && pour(from, wanted, status);
  if (good || (from && !fits))
    rest(self, from);
  else
    flow_end(from);
  return good;
}

/* A flow that fails may have rested for long: that is no attempt. */
static bool fetch_piece(hdfs_file *self, const taking *wanted, attempt *once, TF_Status *status) {
  if (go_on(self, wanted, status)) return true;
  if (!hdfs_ok(status) && !is_momentary(TF_GetCode(status))) return false;
  TF_SetStatus(status, TF_OK, "");
  return fetch(self, wanted, once, status);
}

static bool fetch_one(void *state, uint64_t offset, size_t n, blocks_piece *piece,
                      TF_Status *status) {
  const taking wanted = {.offset = offset, .n = n, .piece = piece};
  return fetch_piece(state, &wanted, fetch_once, status);
}

static bool fetch_on(void *state, const blocks_next *next, TF_Status *status) {
  const taking wanted = {
      .offset = next->offset, .n = next->n, .piece = next->piece, .bytes = next->bytes};
  return fetch_piece(state, &wanted, flow_once, status);
}

static uint64_t cache_limit(void *state) {
  const hdfs_file *self = state;
  return (uint64_t)remote_number(self->base.filesystem, HDFS_CACHE_BYTES);
}

/* Readers of one version share blocks. */
static char *make_key(const hdfs_name *name, const hdfs_status *found) {
  static atomic_uint_fast64_t opened;
  uint64_t number = found->id ? 0 : atomic_fetch_add(&opened, 1) + 1;
  return remote_format("%s://%s\n%" PRIu64 "\n%" PRId64 "\n%" PRId64 "\n%" PRIu64, name->scheme,
                       name->authority, found->id, found->length, found->mtime_ms, number);
}

static void end(remote_file *base) {
  flow_end(atomic_exchange(&((hdfs_file *)base)->flow, NULL));
}

/* A short file is read at once; its content is not cached, for each new file has another inode. */
static bool read_short(hdfs_file *self, TF_Status *status) {
  size_t n = (size_t)self->status.length;
  self->base.reader = (blocks_reader){.whole = malloc(n + 1), .length = n};
  if (!self->base.reader.whole) return fail_no_memory(status);
  const taking wanted = {.bytes = self->base.reader.whole, .n = n};
  return n == 0 || fetch(self, &wanted, fetch_once, status);
}

static bool begin_reading(hdfs_file *self, TF_Status *status) {
  snprintf(self->inode.path, sizeof self->inode.path, "/.reserved/.inodes/%" PRIu64,
           self->status.id);
  atomic_init(&self->by_path, self->status.id == 0);
  if (self->status.length <= BLOCKS_SIZE) return read_short(self, status);
  self->base.reader =
      (blocks_reader){.cache = &remote_of(self->base.filesystem)->cache,
                      .key = make_key(&self->name, &self->status),
                      .length = (uint64_t)self->status.length,
                      .fetch = fetch_one,
                      .follow = fetch_on,
                      .follows_at_once = true,
                      .limit = cache_limit,
                      .state = self,
                      .parallel = (int)remote_number(self->base.filesystem, HDFS_PARALLEL)};
  return self->base.reader.key || fail_no_memory(status);
}

/* Begins anew when the file was replaced while its content was asked for. */
static bool file_open(hdfs_file *self, const hdfs_place *place, TF_Status *status) {
  enum { MOST_REPLACEMENTS = 20 };
  self->name = self->inode = place->name;
  for (int i = 0;; i++) {
    if (!hdfs_stat_place(self->base.filesystem, place, &self->status, status)) return false;
    if (self->status.is_directory)
      return fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
    if (begin_reading(self, status)) return true;
    if (TF_GetCode(status) != TF_ABORTED || i == MOST_REPLACEMENTS) return false;
    TF_SetStatus(status, TF_OK, "");
    free(self->base.reader.key);
    free(self->base.reader.whole);
    self->base.reader = (blocks_reader){.whole = NULL};
  }
}

void hdfs_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status) {
  hdfs_place place;
  hdfs_file *self = calloc(1, sizeof *self);
  if (self) self->base = (remote_file){.filesystem = filesystem, .path = strdup(path), .end = end};
  bool good = self && self->base.path ? hdfs_place_find(filesystem, path, &place, status)
                                      : fail_no_memory(status);
  if (good && file_open(self, &place, status))
    file->plugin_file = self;
  else if (self)
    remote_file_free(&self->base);
}

void hdfs_reader_attributes(const TF_Filesystem *filesystem, const TF_RandomAccessFile *file,
                            modfs_attributes *attributes, TF_Status *status) {
  const hdfs_file *self = file->plugin_file;
  (void)filesystem, (void)status;
  hdfs_stat_attributes(&self->status, attributes);
}

void hdfs_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region,
                                                TF_Status *status) {
  remote_file_map(filesystem, path, hdfs_new_random_access_file, region, status);
}
