/* gzip, zlib and raw deflate, through zlib. */
#include "codec_library.h"

#ifdef MODFS_WITH_ZLIB
#include <stdatomic.h>
#include <stdlib.h>
#include <zlib.h>

#define FUNCTIONS(of)                                                                              \
  of(inflateInit2_) of(inflate) of(inflateReset) of(inflateEnd) of(deflateInit2_) of(deflate)      \
      of(deflateEnd)

CODEC_TABLE(zlib);

static codec_library source = {"libz.so.1", (const char *const[]){FUNCTIONS(CODEC_NAME) NULL},
                               NULL};

static bool open_library(const modfs_codec *codec, TF_Status *status) {
  return codec_library_open(&source, codec, status);
}

/* A stream exists only after open_library. */
static const zlib *library(void) {
  return atomic_load_explicit(&source.functions, memory_order_acquire);
}

/* TensorFlow's settings, so that both write identical bytes. */
enum { WINDOW = 15, RAW = -WINDOW, GZIP = 16 + WINDOW, MEMORY_LEVEL = 9, PIECE = 1 << 30 };

typedef struct decoder {
  z_stream stream;
  bool joins;
  bool between; /* a stream has ended */
  bool padding; /* only zeros may follow */
} decoder;

static void offer(z_stream *stream, const codec_io *io) {
  stream->next_in = (z_const Bytef *)(size_t)io->in;
  stream->avail_in = (uInt)(io->in_left < PIECE ? io->in_left : PIECE);
  stream->next_out = (Bytef *)io->out;
  stream->avail_out = (uInt)(io->out_left < PIECE ? io->out_left : PIECE);
}

static void take_back(const z_stream *stream, codec_io *io) {
  const char *in = (const char *)stream->next_in;
  char *out = (char *)stream->next_out;
  io->in_left -= (size_t)(in - io->in);
  io->out_left -= (size_t)(out - io->out);
  io->in = in;
  io->out = out;
}

static void *new_decoder(int window, bool joins) {
  decoder *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->joins = joins;
  if (library()->inflateInit2_(&self->stream, window, ZLIB_VERSION, (int)sizeof self->stream) ==
      Z_OK)
    return self;
  free(self);
  return NULL;
}

static void decoder_free(void *decoding) {
  decoder *self = decoding;
  library()->inflateEnd(&self->stream);
  free(self);
}

/* After the end of a stream: gzip allows another one, or padding with zeros, as on tapes. */
static bool starts_next(decoder *self, codec_io *io, TF_Status *status) {
  self->padding = self->padding || (self->joins && *io->in == '\0');
  for (; self->padding && io->in_left > 0 && *io->in == '\0'; io->in_left--)
    io->in++;
  if (io->in_left == 0) return false;
  if (self->padding || !self->joins || *io->in != '\x1f') {
    TF_SetStatus(status, TF_DATA_LOSS, "trailing bytes after the end of the stream");
    return false;
  }
  self->between = false;
  library()->inflateReset(&self->stream);
  return true;
}

static const char *complaint(const decoder *self, int result) {
  if (result == Z_NEED_DICT) return "a preset dictionary is required, which is not supported";
  return self->stream.msg ? self->stream.msg : "malformed data";
}

static bool decode(void *decoding, codec_io *io, TF_Status *status) {
  decoder *self = decoding;
  if (self->between && (io->in_left == 0 || !starts_next(self, io, status))) return false;
  offer(&self->stream, io);
  int result = library()->inflate(&self->stream, Z_NO_FLUSH);
  take_back(&self->stream, io);
  self->between = result == Z_STREAM_END;
  if (result == Z_MEM_ERROR)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  else if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
    TF_SetStatus(status, TF_DATA_LOSS, complaint(self, result));
  return !self->between;
}

static void *new_encoder(int window, int level) {
  z_stream *stream = calloc(1, sizeof *stream);
  if (stream &&
      library()->deflateInit2_(stream, level, Z_DEFLATED, window, MEMORY_LEVEL, Z_DEFAULT_STRATEGY,
                               ZLIB_VERSION, (int)sizeof *stream) == Z_OK)
    return stream;
  free(stream);
  return NULL;
}

static void encoder_free(void *encoder) {
  library()->deflateEnd(encoder);
  free(encoder);
}

static bool encode(void *encoder, codec_io *io, codec_step step, TF_Status *status) {
  static const int modes[] = {Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_FINISH};
  z_stream *stream = encoder;
  offer(stream, io);
  int result = library()->deflate(stream, modes[step]);
  take_back(stream, io);
  if (result == Z_STREAM_ERROR)
    TF_SetStatus(status, TF_INTERNAL, "zlib failed to compress the data");
  if (step == CODEC_FINISH) return result == Z_STREAM_END;
  return io->in_left == 0 && io->out_left > 0;
}

static void *gzip_decoder(void) {
  return new_decoder(GZIP, true);
}
static void *zlib_decoder(void) {
  return new_decoder(WINDOW, false);
}
static void *deflate_decoder(void) {
  return new_decoder(RAW, false);
}
static void *gzip_encoder(int level) {
  return new_encoder(GZIP, level);
}
static void *zlib_encoder(int level) {
  return new_encoder(WINDOW, level);
}
static void *deflate_encoder(int level) {
  return new_encoder(RAW, level);
}

#define CODEC_CALLS(noun)                                                                          \
  .decoder_new = noun##_decoder, .decode = decode, .decoder_free = decoder_free,                   \
  .encoder_new = noun##_encoder, .encode = encode, .encoder_free = encoder_free,                   \
  .open = open_library
#else
#define CODEC_CALLS(noun) .decoder_new = NULL
#endif

#define ZLIB_CODEC(noun)                                                                           \
  .name = #noun, .package = MODFS_PACKAGE_ZLIB, .lowest = 0, .highest = 9, .usual = -1,            \
  CODEC_CALLS(noun)

const modfs_codec codec_gzip = {ZLIB_CODEC(gzip), .joins = true};
const modfs_codec codec_zlib = {ZLIB_CODEC(zlib)};
const modfs_codec codec_deflate = {ZLIB_CODEC(deflate)};
