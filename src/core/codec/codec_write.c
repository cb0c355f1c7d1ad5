/* An encoded stream as a writable: bytes written to it are encoded and written to the one below. */
#include <inttypes.h>
#include <stdlib.h>

#include "codec.h"
#include "core/base/status.h"
#include "core/fs/writable.h"

enum { OUTPUT = 64 * 1024 };

typedef struct writer {
  const modfs_codec *codec;
  modfs_writable *below; /* one reference */
  bool owns;             /* closes or aborts below when it is closed or aborted */
  void *encoder;
  int64_t taken;
  char output[OUTPUT];
} writer;

static void encode(writer *self, const char *data, size_t n, codec_step step, TF_Status *status) {
  codec_io io = {.in = data, .in_left = n};
  bool done = false;
  while (!done && status_ok(status)) {
    io.out = self->output;
    io.out_left = OUTPUT;
    done = self->codec->encode(self->encoder, &io, step, status);
    size_t made = OUTPUT - io.out_left;
    if (status_ok(status) && made > 0)
      writable_quiet_append(self->below, self->output, made, status);
  }
}

static void writer_append(const TF_WritableFile *file, const char *data, size_t n,
                          TF_Status *status) {
  writer *self = file->plugin_file;
  encode(self, data, n, CODEC_PUT, status);
  if (status_ok(status)) self->taken += (int64_t)n;
}

static int64_t writer_tell(const TF_WritableFile *file, TF_Status *status) {
  const writer *self = file->plugin_file;
  (void)status;
  return self->taken;
}

static void writer_flush(const TF_WritableFile *file, TF_Status *status) {
  writer *self = file->plugin_file;
  encode(self, NULL, 0, CODEC_FLUSH, status);
  if (status_ok(status)) writable_quiet_flush(self->below, status);
}

static void writer_sync(const TF_WritableFile *file, TF_Status *status) {
  writer *self = file->plugin_file;
  encode(self, NULL, 0, CODEC_FLUSH, status);
  if (status_ok(status)) writable_quiet_sync(self->below, status);
}

/* Ends the writable below in any case, and keeps the failure that came first. */
static void end_below(writer *self, bool wanted, TF_Status *status) {
  TF_Status *ending = status_ok(status) ? status : TF_NewStatus();
  if (ending) writable_quiet_end(self->below, wanted, ending);
  if (ending != status) TF_DeleteStatus(ending);
  self->below = NULL;
}

static void writer_close(const TF_WritableFile *file, TF_Status *status) {
  writer *self = file->plugin_file;
  encode(self, NULL, 0, CODEC_FINISH, status);
  if (self->owns) end_below(self, status_ok(status), status);
}

static void writer_free(writer *self) {
  if (self->encoder) self->codec->encoder_free(self->encoder);
  if (self->below) writable_drop(self->below);
  free(self);
}

static void writer_cleanup(TF_WritableFile *file) {
  writer *self = file->plugin_file;
  TF_Status *ignored = self->owns && self->below ? TF_NewStatus() : NULL;
  if (ignored) end_below(self, false, ignored);
  TF_DeleteStatus(ignored);
  writer_free(self);
}

static modfs_plugin writing_plugin = {.path = (char *)(size_t) "of codecs"};

/* Stands in for a filesystem, whose tables encoded writables use. */
static const modfs_fs codec_writing = {
    .plugin = &writing_plugin,
    .tables = {.writable = {.cleanup = writer_cleanup,
                            .append = writer_append,
                            .tell = writer_tell,
                            .flush = writer_flush,
                            .sync = writer_sync,
                            .close = writer_close}},
};

bool modfs_codec_has_level(const modfs_codec *codec, int64_t level, TF_Status *status) {
  status_clear(status);
  if (level >= codec->lowest && level <= codec->highest) return true;
  if (codec->lowest == codec->highest)
    modfs_set_status(status, TF_INVALID_ARGUMENT, "codec %s has no compression levels",
                     codec->name);
  else
    modfs_set_status(status, TF_INVALID_ARGUMENT,
                     "level %" PRId64 " is out of range: %s has %d to %d", level, codec->name,
                     codec->lowest, codec->highest);
  return false;
}

static modfs_writable *open_writer(const modfs_codec *codec, int level, modfs_writable *below,
                                   bool owns, TF_Status *status) {
  writer *self = malloc(sizeof *self);
  if (self) *self = (writer){.codec = codec, .below = writable_hold(below), .owns = owns};
  modfs_writable *writable = NULL;
  if (self && (self->encoder = codec->encoder_new(level)))
    writable = writable_open_handle(&codec_writing, self, modfs_writable_name(below),
                                    owns ? below : NULL, status);
  if (writable) {
    if (codec->unbuffered) writable_set_direct(writable);
    if (owns) writable_drop(below);
    return writable;
  }
  status_no_memory(status);
  if (self) writer_free(self);
  return NULL;
}

modfs_writable *modfs_codec_writable(const modfs_codec *codec, const int *level,
                                     modfs_writable *below, bool owns, TF_Status *status) {
  status_clear(status);
  modfs_writable *writable = NULL;
  if (codec_check(codec, status) && (!level || modfs_codec_has_level(codec, *level, status)))
    writable = open_writer(codec, level ? *level : codec->usual, below, owns, status);
  status_locate(status, "open", modfs_writable_name(below));
  return writable;
}

const modfs_codec *modfs_writable_codec(const modfs_writable *writable) {
  if (writable_fs(writable) != &codec_writing) return NULL;
  const writer *self = writable_plugin_file(writable);
  return self->codec;
}
