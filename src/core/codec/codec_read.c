/* A decoded stream as a file.
 *
 * A reader has no decoder yet, or decodes at "position", or has ended there, or is damaged there.
 * Reading at a higher offset decodes and drops what lies between; reading at a lower one starts
 * over from the beginning of the source, which also forgets that the stream was damaged. Past the
 * damage every read fails with the same reason. What survives a new start is "limit", where damage
 * was met last, "size" once it is known, and "lenient", which codec_read_limit sets after damage:
 * then the last byte before a wrong checksum is given out, too.
 *
 * The lock guards all of a reader except codec and source, which never change: as decoding is a
 * single stream, readers on several threads take turns. It is held over reads of the source, and so
 * over calls of a plugin. Where the source is a decoded file itself, its lock is taken within: the
 * order is from the outer stream to the inner, and the source never leads back.
 *
 * The reader owns its decoder and one reference to its source; the last reference to the modfs_file
 * frees them.
 *
 * A fork copies the readers, and the child decodes on by itself. A reader in which another thread
 * was reading is "lost" there: its lock stays taken and its decoder may be half changed, so each
 * call is refused, and closing frees neither. To find these, all readers are in a list; the list's
 * lock is held during a fork, and otherwise only while a reader is added or removed, under no other
 * lock. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "core/fs/file.h"
#include "core/base/status.h"

enum { INPUT = 64 * 1024, SKIPPED = 16 * 1024, REASON = 256 };

typedef struct reader {
  pthread_mutex_t lock;
  struct reader *next, **link; /* in the list of all readers */
  bool lost;                   /* written in a child before it has threads */
  const modfs_codec *codec;
  codec_source source;
  void *decoder;
  uint64_t fetched;  /* bytes read from the source */
  uint64_t position; /* decoded bytes so far */
  int64_t size;      /* decoded, in all; -1: not known yet */
  uint64_t limit;    /* position of the damage met last; UINT64_MAX: none */
  bool inside;       /* the stream must not end here */
  bool drained;      /* the source is at its end */
  bool ended;
  bool lenient; /* give out the last byte although the checksum behind it is wrong */
  bool damaged; /* nothing can be decoded beyond the position, for this reason */
  char reason[REASON];
  size_t start; /* input from start to end is not decoded yet */
  size_t end;
  char input[INPUT];
} reader;

/* Readers and forks ------------------------------------------------------------ */

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static reader *readers;

static void before_fork(void) {
  pthread_mutex_lock(&list_lock);
}

static void after_fork(void) {
  pthread_mutex_unlock(&list_lock);
}

static void after_fork_in_child(void) {
  for (reader *each = readers; each; each = each->next)
    if (each->lost || pthread_mutex_trylock(&each->lock) != 0)
      each->lost = true;
    else
      pthread_mutex_unlock(&each->lock);
  after_fork();
}

static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static void add_to_list(reader *self) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&list_lock);
  self->next = readers;
  self->link = &readers;
  if (readers) readers->link = &self->next;
  readers = self;
  pthread_mutex_unlock(&list_lock);
}

static void remove_from_list(reader *self) {
  pthread_mutex_lock(&list_lock);
  *self->link = self->next;
  if (self->next) self->next->link = self->link;
  pthread_mutex_unlock(&list_lock);
}

/* Takes the lock; false, with the status, for a reader that is lost. */
static bool lock_reader(reader *self, TF_Status *status) {
  if (self->lost) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "another thread was reading it when this process was forked: open it again");
    return false;
  }
  pthread_mutex_lock(&self->lock);
  return true;
}

/* Decoding --------------------------------------------------------------------- */

static void free_decoder(reader *self) {
  if (self->decoder) self->codec->decoder_free(self->decoder);
  self->decoder = NULL;
}

static bool start_over(reader *self, TF_Status *status) {
  free_decoder(self);
  self->decoder = self->codec->decoder_new();
  self->fetched = self->position = 0;
  self->start = self->end = 0;
  self->inside = self->codec != &codec_snappy;
  self->drained = self->ended = self->damaged = false;
  if (!self->decoder) status_no_memory(status);
  return self->decoder != NULL;
}

static void fetch(reader *self, TF_Status *status) {
  int64_t got = codec_source_read(&self->source, self->fetched, INPUT, self->input, status);
  if (got < 0) return;
  self->fetched += (uint64_t)got;
  self->start = 0;
  self->end = (size_t)got;
  self->drained = got == 0;
}

static void fail(reader *self, const char *what, TF_Status *status) {
  /* For messages: what a hex dump of the source shows. */
  uint64_t offset = self->source.start + self->fetched - (self->end - self->start);
  self->damaged = true;
  self->limit = self->position;
  snprintf(self->reason, REASON,
           "the %s stream is damaged at offset %" PRIu64 ", after %" PRIu64 " decoded bytes: %s",
           self->codec->name, offset, self->position, what);
  TF_SetStatus(status, TF_DATA_LOSS, self->reason);
}

/* Decodes once. Whether any input was used or output made. */
static bool step(reader *self, codec_io *io, TF_Status *status) {
  if (self->start == self->end && !self->drained) fetch(self, status);
  if (!status_ok(status)) return false;
  size_t in = self->end - self->start, room = io->out_left;
  io->in = self->input + self->start;
  io->in_left = in;
  self->inside = self->codec->decode(self->decoder, io, status);
  self->start = self->end - io->in_left;
  self->position += room - io->out_left;
  if (TF_GetCode(status) == TF_DATA_LOSS)
    fail(self, TF_Message(status), status);
  else if (!status_ok(status))
    free_decoder(
        self); /* short of memory, it may have dropped a block: the next read starts over */
  return status_ok(status) && (io->in_left < in || io->out_left < room);
}

/* No progress and no input left: the stream has ended, or was truncated. */
static void settle_end(reader *self, TF_Status *status) {
  if (!status_ok(status) || !self->drained || self->start < self->end) return;
  if (self->inside)
    fail(self, "truncated", status);
  else
    self->ended = true;
}

/* Decodes n bytes, fewer at the end and before damage. After the last byte it goes on for as long
 * as that makes no output, so that a wrong checksum is found together with the bytes it covers. The
 * last byte before such damage does not count as sound, unless the reader is lenient. */
static size_t decode(reader *self, char *out, size_t n, TF_Status *status) {
  codec_io io = {.out = out, .out_left = n};
  while (!self->ended && (io.out_left > 0 || !self->lenient) && step(self, &io, status)) {
  }
  size_t came = n - io.out_left;
  if (!status_ok(status) && !self->lenient && came > 0) came--;
  if (self->damaged && self->lenient && came == n) status_clear(status);
  if (io.out_left > 0) settle_end(self, status);
  return came;
}

/* Moves the decoder to an offset, or to the end if that comes first; false on failure. */
static bool seek(reader *self, uint64_t offset, TF_Status *status) {
  if (!self->decoder || offset < self->position) {
    if (!start_over(self, status)) return false;
  }
  while (!self->damaged && status_ok(status) && !self->ended && self->position < offset) {
    char dropped[SKIPPED];
    uint64_t left = offset - self->position;
    decode(self, dropped, left < SKIPPED ? (size_t)left : SKIPPED, status);
  }
  if (self->damaged && status_ok(status)) TF_SetStatus(status, TF_DATA_LOSS, self->reason);
  return status_ok(status);
}

/* The table -------------------------------------------------------------------- */

/* Returns how many bytes were decoded, on a failure, too. */
static size_t read_at(reader *self, uint64_t offset, size_t n, char *buffer, TF_Status *status) {
  size_t got = 0;
  if (!lock_reader(self, status)) return 0;
  bool there = seek(self, offset, status);
  if (there && self->position == offset) got = decode(self, buffer, n, status);
  pthread_mutex_unlock(&self->lock);
  return got;
}

static int64_t reader_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  size_t got = read_at(file->plugin_file, offset, n, buffer, status);
  if (!status_ok(status)) return -1;
  if (got < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "end of stream");
  return (int64_t)got;
}

static void reader_free(reader *self) {
  remove_from_list(self);
  codec_source_fini(&self->source);
  if (!self->lost) {
    free_decoder(self);
    pthread_mutex_destroy(&self->lock);
  }
  free(self);
}

static void reader_cleanup(TF_RandomAccessFile *file) {
  reader_free(file->plugin_file);
}

static int64_t reader_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                TF_Status *status) {
  size_t got = read_at(file_plugin_file(file), offset, n, buffer, status);
  if (got == 0 && !status_ok(status)) return -1;
  status_clear(status); /* the next read meets the damage again */
  return (int64_t)got;
}

/* The first call decodes to the end. */
static int64_t reader_size(const modfs_file *file, TF_Status *status) {
  reader *self = file_plugin_file(file);
  int64_t size = -1;
  status_clear(status);
  if (lock_reader(self, status)) {
    if (self->size < 0 && seek(self, UINT64_MAX, status)) self->size = (int64_t)self->position;
    size = self->size;
    pthread_mutex_unlock(&self->lock);
  }
  status_locate(status, "size", modfs_file_name(file));
  return size;
}

static const file_ops reader_ops = {.read_some = reader_read_some, .size = reader_size};

static modfs_plugin reading_plugin = {.path = (char *)(size_t) "of codecs"};

/* Stands in for a filesystem, whose tables decoded files use. */
static const modfs_fs codec_reading = {
    .plugin = &reading_plugin,
    .tables = {.file = {.cleanup = reader_cleanup, .read = reader_read}},
};

modfs_file *codec_read_open(const modfs_codec *codec, codec_source source, const char *shown,
                            TF_Status *status) {
  reader *self = calloc(1, sizeof *self);
  if (!self) {
    codec_source_fini(&source);
    status_no_memory(status);
    return NULL;
  }
  pthread_mutex_init(&self->lock, NULL);
  self->codec = codec;
  self->source = source;
  self->size = -1;
  self->limit = UINT64_MAX;
  add_to_list(self);
  modfs_file *file = file_open_handle(&codec_reading, &reader_ops, self, shown, status);
  if (!file) reader_free(self);
  return file;
}

const modfs_codec *modfs_file_codec(const modfs_file *file) {
  if (modfs_file_fs(file) != &codec_reading) return NULL;
  const reader *self = file_plugin_file(file);
  return self->codec;
}

uint64_t codec_read_limit(const modfs_file *file) {
  reader *self = file_plugin_file(file);
  if (self->lost) return UINT64_MAX;
  pthread_mutex_lock(&self->lock);
  uint64_t limit = self->limit;
  self->lenient = limit != UINT64_MAX;
  pthread_mutex_unlock(&self->lock);
  return limit;
}
