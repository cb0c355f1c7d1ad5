#include "encode.h"

#include <stdlib.h>
#include <string.h>

#ifdef MODFS_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef MODFS_WITH_ZSTD
#include <zstd.h>
#endif

#include "error.h"

enum { OUT = 64 * 1024 };

struct encoder {
  decode_form form;
  encode_sink *sink;
  void *state;
#ifdef MODFS_WITH_ZLIB
  z_stream z;
  bool has_z;
#endif
#ifdef MODFS_WITH_ZSTD
  ZSTD_CStream *zstd;
#endif
  char buffer[]; /* OUT bytes, where it compresses */
};

#ifdef MODFS_WITH_ZLIB
static bool z_open(encoder *self, TF_Status *status) {
  enum { RAW = -MAX_WBITS, GZIP = MAX_WBITS + 16, MEMORY = 8 };
  int window = self->form == DECODE_GZIP ? GZIP : RAW;
  self->has_z = deflateInit2(&self->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, MEMORY,
                             Z_DEFAULT_STRATEGY) == Z_OK;
  return self->has_z || fail_no_memory(status);
}

static bool z_put(encoder *self, const char *bytes, size_t n, int flush, TF_Status *status) {
  enum { MOST = 1 << 30 };
  int result = Z_OK;
  do {
    uInt piece = n < MOST ? (uInt)n : MOST;
    self->z.next_in = (Bytef *)(size_t)bytes;
    self->z.avail_in = piece;
    self->z.next_out = (Bytef *)self->buffer;
    self->z.avail_out = OUT;
    result = deflate(&self->z, flush);
    bytes += piece - self->z.avail_in;
    n -= piece - self->z.avail_in;
    if (!self->sink(self->state, self->buffer, OUT - self->z.avail_out, status)) return false;
  } while (n > 0 || self->z.avail_out == 0 || (flush == Z_FINISH && result != Z_STREAM_END));
  return true;
}
#endif

#ifdef MODFS_WITH_ZSTD
static bool zstd_put(encoder *self, const char *bytes, size_t n, ZSTD_EndDirective end,
                     TF_Status *status) {
  ZSTD_inBuffer from = {bytes, n, 0};
  size_t left;
  do {
    ZSTD_outBuffer to = {self->buffer, OUT, 0};
    left = ZSTD_compressStream2(self->zstd, &to, &from, end);
    if (ZSTD_isError(left)) return fail_no_memory(status);
    if (!self->sink(self->state, self->buffer, to.pos, status)) return false;
  } while (from.pos < from.size || (end == ZSTD_e_end && left > 0));
  return true;
}

static bool zstd_open(encoder *self, TF_Status *status) {
  self->zstd = ZSTD_createCStream();
  if (!self->zstd) return fail_no_memory(status);
  ZSTD_CCtx_setParameter(self->zstd, ZSTD_c_checksumFlag, 1);
  return true;
}
#endif

static bool open_form(encoder *self, TF_Status *status) {
#ifdef MODFS_WITH_ZSTD
  if (self->form == DECODE_ZSTD) return zstd_open(self, status);
#endif
#ifdef MODFS_WITH_ZLIB
  if (self->form != DECODE_STORED) return z_open(self, status);
#endif
  return decode_is_built(self->form, status);
}

encoder *encode_open(decode_form form, encode_sink *sink, void *state, TF_Status *status) {
  encoder *made = malloc(sizeof *made + (form == DECODE_STORED ? 0 : OUT));
  if (!made) {
    fail_no_memory(status);
    return NULL;
  }
  *made = (encoder){.form = form, .sink = sink, .state = state};
  if (open_form(made, status)) return made;
  encode_close(made);
  return NULL;
}

void encode_again(encoder *self, void *state) {
  self->state = state;
#ifdef MODFS_WITH_ZLIB
  deflateReset(&self->z);
#endif
}

void encode_close(encoder *self) {
  if (!self) return;
#ifdef MODFS_WITH_ZLIB
  if (self->has_z) deflateEnd(&self->z);
#endif
#ifdef MODFS_WITH_ZSTD
  ZSTD_freeCStream(self->zstd);
#endif
  free(self);
}

bool encode_put(encoder *self, const char *bytes, size_t n, TF_Status *status) {
  if (n == 0) return true;
#ifdef MODFS_WITH_ZSTD
  if (self->form == DECODE_ZSTD) return zstd_put(self, bytes, n, ZSTD_e_continue, status);
#endif
#ifdef MODFS_WITH_ZLIB
  if (self->form != DECODE_STORED) return z_put(self, bytes, n, Z_NO_FLUSH, status);
#endif
  return self->sink(self->state, bytes, n, status);
}

bool encode_end(encoder *self, TF_Status *status) {
#ifdef MODFS_WITH_ZSTD
  if (self->form == DECODE_ZSTD) return zstd_put(self, "", 0, ZSTD_e_end, status);
#endif
#ifdef MODFS_WITH_ZLIB
  if (self->form != DECODE_STORED) return z_put(self, "", 0, Z_FINISH, status);
#endif
  (void)self, (void)status;
  return true;
}
