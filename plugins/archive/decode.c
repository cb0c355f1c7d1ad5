/* A decoder pulls from its file in pieces of at most IN bytes. It belongs to one thread at a time. gzip and
 * zstd streams may follow each other, as one content; zeros behind the last, with which tapes and
 * some programs fill up, are its end. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

#ifdef MODFS_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef MODFS_WITH_ZSTD
#include <zstd.h>
#endif

#include "error.h"

enum { IN = 128 * 1024 };

struct decoder {
  decode_form form;
  base_file *file;
  uint64_t offset; /* of the next byte to read */
  uint64_t left;   /* bytes that were not read yet */
  const char *in;  /* in buffer: bytes that were read and not decoded */
  size_t in_length;
  size_t size;  /* of the buffer */
  bool between; /* a stream has ended, and no other has begun */
  bool ended;
#ifdef MODFS_WITH_ZLIB
  z_stream z;
  bool has_z;
#endif
#ifdef MODFS_WITH_ZSTD
  ZSTD_DStream *zstd;
#endif
  char buffer[];
};

#if defined(MODFS_WITH_ZLIB) || defined(MODFS_WITH_ZSTD)
static bool fail_damaged(const decoder *self, TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "damaged: the compressed bytes before %llu are invalid",
                   (unsigned long long)self->offset);
}
#endif

static bool fill(decoder *self, TF_Status *status) {
  size_t n = self->left < self->size ? (size_t)self->left : self->size;
  if (self->in_length > 0 || n == 0) return true;
  if (!base_read(self->file, self->offset, n, self->buffer, status)) return false;
  self->in = self->buffer;
  self->in_length = n;
  self->offset += n;
  self->left -= n;
  return true;
}

static void eat(decoder *self, size_t n) {
  self->in += n;
  self->in_length -= n;
}

/* deflate and gzip -------------------------------------------------------------------------- */

#ifdef MODFS_WITH_ZLIB
static bool z_open(decoder *self, TF_Status *status) {
  enum { RAW = -MAX_WBITS, GZIP = MAX_WBITS + 16 };
  self->has_z = inflateInit2(&self->z, self->form == DECODE_GZIP ? GZIP : RAW) == Z_OK;
  return self->has_z || fail_no_memory(status);
}

/* One step; *put bytes were written. */
static bool z_step(decoder *self, size_t n, char *out, size_t *put, TF_Status *status) {
  enum { MOST = 1 << 30 };
  uInt room = n < MOST ? (uInt)n : MOST;
  self->z.next_in = (Bytef *)(size_t)self->in;
  self->z.avail_in = (uInt)self->in_length;
  self->z.next_out = (Bytef *)out;
  self->z.avail_out = room;
  /* Where all input is there, zlib needs no window of its own. */
  int result = inflate(&self->z, self->left == 0 ? Z_FINISH : Z_NO_FLUSH);
  *put = room - self->z.avail_out;
  eat(self, self->in_length - self->z.avail_in);
  if (result == Z_STREAM_END) {
    self->between = true;
    if (self->form == DECODE_DEFLATE) self->ended = true;
    return inflateReset(&self->z) == Z_OK || fail_damaged(self, status);
  }
  if (result == Z_MEM_ERROR) return fail_no_memory(status);
  return result == Z_OK || result == Z_BUF_ERROR || fail_damaged(self, status);
}
#endif

/* zstd -------------------------------------------------------------------------------------- */

#ifdef MODFS_WITH_ZSTD
static bool zstd_open(decoder *self, TF_Status *status) {
  self->zstd = ZSTD_createDStream();
  return (self->zstd && !ZSTD_isError(ZSTD_initDStream(self->zstd))) || fail_no_memory(status);
}

static bool zstd_step(decoder *self, size_t n, char *out, size_t *put, TF_Status *status) {
  ZSTD_inBuffer from = {self->in, self->in_length, 0};
  ZSTD_outBuffer to = {out, n, 0};
  size_t result = ZSTD_decompressStream(self->zstd, &to, &from);
  eat(self, from.pos);
  *put = to.pos;
  if (ZSTD_isError(result)) return fail_damaged(self, status);
  self->between = result == 0;
  return true;
}
#endif

/* Any --------------------------------------------------------------------------------------- */

static bool stored_step(decoder *self, size_t n, char *out, size_t *put, TF_Status *status) {
  (void)status;
  *put = n < self->in_length ? n : self->in_length;
  memcpy(out, self->in, *put);
  eat(self, *put);
  return true;
}

bool decode_is_built(decode_form form, TF_Status *status) {
  bool has_zlib = false, has_zstd = false;
#ifdef MODFS_WITH_ZLIB
  has_zlib = true;
#endif
#ifdef MODFS_WITH_ZSTD
  has_zstd = true;
#endif
  bool is_zstd = form == DECODE_ZSTD;
  if (form == DECODE_STORED || (is_zstd ? has_zstd : has_zlib)) return true;
  const char *library = is_zstd ? "libzstd" : "zlib";
  const char *package = is_zstd ? MODFS_PACKAGE_ZSTD : MODFS_PACKAGE_ZLIB;
  return fail_with(status, TF_UNIMPLEMENTED,
                   "modfs was built without %s, which this needs; install %s and build it again",
                   library, package);
}

static bool open_form(decoder *self, TF_Status *status) {
#ifdef MODFS_WITH_ZSTD
  if (self->form == DECODE_ZSTD) return zstd_open(self, status);
#endif
#ifdef MODFS_WITH_ZLIB
  if (self->form != DECODE_STORED) return z_open(self, status);
#endif
  return decode_is_built(self->form, status);
}

static bool step(decoder *self, size_t n, char *out, size_t *put, TF_Status *status) {
#ifdef MODFS_WITH_ZSTD
  if (self->form == DECODE_ZSTD) return zstd_step(self, n, out, put, status);
#endif
#ifdef MODFS_WITH_ZLIB
  if (self->form != DECODE_STORED) return z_step(self, n, out, put, status);
#endif
  return stored_step(self, n, out, put, status);
}

static decoder *open_like(const decoder *like, TF_Status *status) {
  decoder *made = malloc(sizeof *made + like->size);
  if (!made) {
    fail_no_memory(status);
    return NULL;
  }
  *made = *like;
  if (open_form(made, status)) return made;
  decode_close(made);
  return NULL;
}

decoder *decode_open(decode_form form, base_file *file, uint64_t offset, uint64_t n,
                     TF_Status *status) {
  const decoder like = {
      .form = form, .file = file, .offset = offset, .left = n, .size = n < IN ? (size_t)n : IN};
  return open_like(&like, status);
}

decoder *decode_open_bytes(decode_form form, const char *bytes, size_t n, TF_Status *status) {
  const decoder like = {.form = form, .in = bytes, .in_length = n, .offset = n};
  return open_like(&like, status);
}

void decode_close(decoder *self) {
  if (!self) return;
#ifdef MODFS_WITH_ZLIB
  if (self->has_z) inflateEnd(&self->z);
#endif
#ifdef MODFS_WITH_ZSTD
  ZSTD_freeDStream(self->zstd);
#endif
  free(self);
}

/* Whether the content ends here: all was read, or only zeros follow a complete stream. False with a
 * failure where reading fails. */
static bool is_over(decoder *self, TF_Status *status) {
  if (self->ended) return true;
  if (!fill(self, status)) return false;
  if (self->form == DECODE_STORED) return self->in_length == 0;
  if (!self->between) return false; /* without input, the library may still have output */
  while (self->in_length > 0 && *self->in == '\0') {
    eat(self, 1);
    if (!fill(self, status)) return false;
  }
  return self->in_length == 0;
}

int64_t decode_some(decoder *self, size_t n, char *buffer, TF_Status *status) {
  size_t done = 0;
  while (done < n && !is_over(self, status)) {
    size_t put = 0, before = self->in_length;
    if (!archive_ok(status)) return -1;
    self->between = false;
    if (!step(self, n - done, buffer + done, &put, status)) return -1;
    done += put;
    if (put > 0 || self->between || self->in_length < before) continue;
    fail_with(status, TF_DATA_LOSS, "the compressed bytes end early");
    return -1;
  }
  return archive_ok(status) ? (int64_t)done : -1;
}

#ifdef MODFS_WITH_ZLIB
uint32_t decode_crc(uint32_t crc, const char *bytes, size_t n) {
  return (uint32_t)crc32_z(crc, (const Bytef *)bytes, n);
}
#else
uint32_t decode_crc(uint32_t crc, const char *bytes, size_t n) {
  crc = ~crc;
  for (size_t i = 0; i < n; i++) {
    crc ^= (unsigned char)bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  return ~crc;
}
#endif
