/* TensorFlow's snappy stream: a sequence of blocks, each a length (4 bytes, big endian) and as many
 * bytes of raw snappy. There is no checksum, so damage may go unnoticed. */
#include "codec_library.h"

#ifdef MODFS_WITH_SNAPPY
#include <snappy-c.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

/* Linked to the core it would bring the library of C++ into every program that requires modfs. */
#define FUNCTIONS(of)                                                                              \
  of(snappy_compress) of(snappy_uncompress) of(snappy_max_compressed_length)                       \
      of(snappy_uncompressed_length)

CODEC_TABLE(snappy);

static codec_library source = {"libsnappy.so.1", (const char *const[]){FUNCTIONS(CODEC_NAME) NULL},
                               NULL};

static bool open_library(const modfs_codec *codec, TF_Status *status) {
  return codec_library_open(&source, codec, status);
}

/* A stream exists only after open_library. */
static const snappy *library(void) {
  return atomic_load_explicit(&source.functions, memory_order_acquire);
}

enum {
  HEADER = 4,
  BLOCK = 256 * 1024,           /* TensorFlow reads no larger ones */
  BLOCK_MAX = 64 * 1024 * 1024, /* the largest that modfs reads */
  FIRST_ROOM = 64 * 1024, /* memory grows with the bytes received, not with a claimed length */
  MOST_FROM_BYTE = 22,    /* a copy of 64 bytes takes three */
};

static bool grow(char **data, size_t *room, size_t wanted) {
  char *larger = wanted <= *room ? *data : realloc(*data, wanted);
  if (!larger) return false;
  *data = larger;
  if (wanted > *room) *room = wanted;
  return true;
}

/* Decoding --------------------------------------------------------------------- */

typedef struct decoder {
  unsigned char header[HEADER];
  size_t header_used;
  size_t length; /* of the block, once the header is complete */
  char *block;
  size_t block_used;
  size_t block_room;
  char *content; /* decoded bytes; those from start to end are not taken yet */
  size_t content_room;
  size_t start;
  size_t end;
} decoder;

static void *decoder_new(void) {
  return calloc(1, sizeof(decoder));
}

static void decoder_free(void *decoding) {
  decoder *self = decoding;
  free(self->block);
  free(self->content);
  free(self);
}

static size_t move(const char **from, size_t *left, char *to, size_t most) {
  size_t n = *left < most ? *left : most;
  if (n > 0) memcpy(to, *from, n);
  *from += n;
  *left -= n;
  return n;
}

static void take_header(decoder *self, codec_io *io) {
  char *rest = (char *)self->header + self->header_used;
  self->header_used += move(&io->in, &io->in_left, rest, HEADER - self->header_used);
  const unsigned char *b = self->header;
  self->length = (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

/* Takes as much of the block as there is; its buffer doubles whenever it is full. */
static void take_block(decoder *self, codec_io *io, TF_Status *status) {
  while (io->in_left > 0 && self->block_used < self->length) {
    size_t wanted = self->block_used < FIRST_ROOM ? FIRST_ROOM : 2 * self->block_used;
    if (wanted > self->length) wanted = self->length;
    if (self->block_used == BLOCK_MAX) {
      TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "snappy block larger than 64 MiB");
      return;
    }
    if (!grow(&self->block, &self->block_room, wanted)) {
      TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
      return;
    }
    self->block_used +=
        move(&io->in, &io->in_left, self->block + self->block_used, wanted - self->block_used);
  }
}

static bool check_content(const decoder *self, size_t size, TF_Status *status) {
  if (size / MOST_FROM_BYTE > self->length)
    TF_SetStatus(status, TF_DATA_LOSS, "snappy block declares more bytes than it can hold");
  else if (size > BLOCK_MAX)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "snappy block larger than 64 MiB");
  else
    return true;
  return false;
}

static void decode_block(decoder *self, TF_Status *status) {
  size_t size = 0;
  if (library()->snappy_uncompressed_length(self->block, self->length, &size) != SNAPPY_OK)
    TF_SetStatus(status, TF_DATA_LOSS, "snappy block without a length");
  else if (!check_content(self, size, status))
    return;
  else if (!grow(&self->content, &self->content_room, size > 0 ? size : 1))
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  else if (library()->snappy_uncompress(self->block, self->length, self->content, &size) !=
           SNAPPY_OK)
    TF_SetStatus(status, TF_DATA_LOSS, "malformed snappy block");
  else
    self->end = size;
  self->start = 0;
  self->header_used = self->block_used = 0;
}

static bool decode(void *decoding, codec_io *io, TF_Status *status) {
  decoder *self = decoding;
  if (self->start == self->end) {
    if (self->header_used < HEADER) take_header(self, io);
    if (self->header_used == HEADER) take_block(self, io, status);
    bool whole = self->header_used == HEADER && self->block_used == self->length;
    if (whole && TF_GetCode(status) == TF_OK) decode_block(self, status);
  }
  const char *from = self->content ? self->content + self->start : NULL;
  size_t left = self->end - self->start;
  size_t moved = move(&from, &left, io->out, io->out_left);
  self->start += moved;
  io->out += moved;
  io->out_left -= moved;
  return self->header_used > 0 || self->start < self->end;
}

/* Encoding --------------------------------------------------------------------- */

typedef struct encoder {
  size_t gathered;
  char *made; /* a finished block; bytes from start to end are not taken yet */
  size_t start;
  size_t end;
  char block[BLOCK];
} encoder;

static void *encoder_new(int level) {
  (void)level;
  encoder *self = malloc(sizeof *self);
  if (!self) return NULL;
  self->gathered = self->start = self->end = 0;
  self->made = malloc(HEADER + library()->snappy_max_compressed_length(BLOCK));
  if (self->made) return self;
  free(self);
  return NULL;
}

static void encoder_free(void *encoding) {
  encoder *self = encoding;
  free(self->made);
  free(self);
}

static void make_block(encoder *self, const char *data, size_t n) {
  size_t size = library()->snappy_max_compressed_length(n);
  library()->snappy_compress(data, n, self->made + HEADER, &size);
  for (int i = 0; i < HEADER; i++)
    self->made[i] = (char)(unsigned char)(size >> (24 - 8 * i));
  self->start = 0;
  self->end = HEADER + size;
}

static void make_gathered(encoder *self) {
  make_block(self, self->block, self->gathered);
  self->gathered = 0;
}

static void put_out(encoder *self, codec_io *io) {
  const char *from = self->made + self->start;
  size_t left = self->end - self->start;
  size_t moved = move(&from, &left, io->out, io->out_left);
  self->start += moved;
  io->out += moved;
  io->out_left -= moved;
}

/* Cuts blocks as TensorFlow does: a piece that no longer fits ends the block, and one larger than a
 * block is written by itself, but in several blocks, as TensorFlow reads no larger ones. */
static void gather(encoder *self, codec_io *io) {
  if (io->in_left > BLOCK - self->gathered && self->gathered > 0) {
    make_gathered(self);
  } else if (io->in_left > BLOCK) {
    make_block(self, io->in, BLOCK);
    io->in += BLOCK;
    io->in_left -= BLOCK;
  } else {
    char *to = self->block + self->gathered;
    self->gathered += move(&io->in, &io->in_left, to, io->in_left);
  }
}

static bool encode(void *encoding, codec_io *io, codec_step step, TF_Status *status) {
  encoder *self = encoding;
  (void)status;
  put_out(self, io);
  while (self->start == self->end &&
         (io->in_left > 0 || (step != CODEC_PUT && self->gathered > 0))) {
    if (io->in_left > 0)
      gather(self, io);
    else
      make_gathered(self);
    put_out(self, io);
  }
  return self->start == self->end && io->in_left == 0;
}

#define CODEC_CALLS                                                                                \
  .decoder_new = decoder_new, .decode = decode, .decoder_free = decoder_free,                      \
  .encoder_new = encoder_new, .encode = encode, .encoder_free = encoder_free, .open = open_library
#else
#define CODEC_CALLS .decoder_new = NULL
#endif

const modfs_codec codec_snappy = {.name = "snappy",
                                  .package = MODFS_PACKAGE_SNAPPY,
                                  .joins = true,
                                  .unbuffered = true,
                                  CODEC_CALLS};
