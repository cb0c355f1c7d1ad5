/* Zstandard, through libzstd. */
#include "codec_library.h"

#ifdef MODFS_WITH_ZSTD
#include <stdatomic.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define FUNCTIONS(of)                                                                              \
  of(ZSTD_createDCtx) of(ZSTD_freeDCtx) of(ZSTD_initDStream) of(ZSTD_DCtx_setParameter)            \
      of(ZSTD_decompressStream) of(ZSTD_createCCtx) of(ZSTD_freeCCtx) of(ZSTD_CCtx_setParameter)   \
          of(ZSTD_compressStream2) of(ZSTD_isError) of(ZSTD_getErrorCode) of(ZSTD_getErrorName)

CODEC_TABLE(zstd);

static codec_library source = {"libzstd.so.1", (const char *const[]){FUNCTIONS(CODEC_NAME) NULL},
                               NULL};

static bool open_library(const modfs_codec *codec, TF_Status *status) {
  return codec_library_open(&source, codec, status);
}

/* A stream exists only after open_library. */
static const zstd *library(void) {
  return atomic_load_explicit(&source.functions, memory_order_acquire);
}

/* 128 MiB, the most that the zstd tool accepts by default; a frame's own claim cannot be trusted.
 */
enum { WINDOW_LOG_MAX = 27, FRAME_HEADER_LEAST = 5 };

typedef struct decoder {
  ZSTD_DCtx *context;
  size_t wanted; /* size of the next header or block: failures are then located exactly */
  bool between;  /* a frame has ended, and no other has begun */
} decoder;

static void decoder_free(void *decoding) {
  decoder *self = decoding;
  library()->ZSTD_freeDCtx(self->context);
  free(self);
}

static void *decoder_new(void) {
  decoder *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->context = library()->ZSTD_createDCtx();
  if (self->context) {
    self->wanted = library()->ZSTD_initDStream(self->context);
    library()->ZSTD_DCtx_setParameter(self->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return self;
  }
  decoder_free(self);
  return NULL;
}

static void take_back(const ZSTD_inBuffer *in, const ZSTD_outBuffer *out, codec_io *io) {
  io->in += in->pos;
  io->in_left -= in->pos;
  io->out += out->pos;
  io->out_left -= out->pos;
}

static void refuse(size_t result, TF_Status *status) {
  bool memory = library()->ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation;
  TF_SetStatus(status, memory ? TF_RESOURCE_EXHAUSTED : TF_DATA_LOSS,
               library()->ZSTD_getErrorName(result));
}

static bool decode(void *decoding, codec_io *io, TF_Status *status) {
  decoder *self = decoding;
  if (self->between && io->in_left == 0) return false;
  size_t n = self->wanted < io->in_left ? self->wanted : io->in_left;
  ZSTD_inBuffer in = {io->in, n, 0};
  ZSTD_outBuffer out = {io->out, io->out_left, 0};
  size_t left = library()->ZSTD_decompressStream(self->context, &out, &in);
  take_back(&in, &out, io);
  if (library()->ZSTD_isError(left)) refuse(left, status);
  self->between = left == 0;
  self->wanted = left > 0 ? left : FRAME_HEADER_LEAST;
  return left != 0;
}

static void *encoder_new(int level) {
  ZSTD_CCtx *context = library()->ZSTD_createCCtx();
  if (!context) return NULL;
  library()->ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  library()->ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  return context;
}

static void encoder_free(void *encoder) {
  library()->ZSTD_freeCCtx(encoder);
}

static bool encode(void *encoder, codec_io *io, codec_step step, TF_Status *status) {
  static const ZSTD_EndDirective modes[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end};
  ZSTD_inBuffer in = {io->in, io->in_left, 0};
  ZSTD_outBuffer out = {io->out, io->out_left, 0};
  size_t left = library()->ZSTD_compressStream2(encoder, &out, &in, modes[step]);
  take_back(&in, &out, io);
  if (library()->ZSTD_isError(left)) {
    refuse(left, status);
    return false;
  }
  return step == CODEC_PUT ? io->in_left == 0 : left == 0;
}

enum { LOWEST = -7, HIGHEST = 22 };
#define CODEC_CALLS                                                                                \
  .decoder_new = decoder_new, .decode = decode, .decoder_free = decoder_free,                      \
  .encoder_new = encoder_new, .encode = encode, .encoder_free = encoder_free, .open = open_library
#else
enum { LOWEST = -7, HIGHEST = 22 };
#define CODEC_CALLS .decoder_new = NULL
#endif

const modfs_codec codec_zstd = {.name = "zstd",
                                .package = MODFS_PACKAGE_ZSTD,
                                .joins = true,
                                .lowest = LOWEST,
                                .highest = HIGHEST,
                                .usual = 3,
                                CODEC_CALLS};
