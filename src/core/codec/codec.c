/* The list of codecs, and the detection of a codec by the content. */
#include "codec.h"

#include <string.h>

#include "core/base/bytes.h"
#include "core/fs/file.h"
#include "core/base/status.h"

static const modfs_codec *const codecs[] = {&codec_gzip, &codec_zlib, &codec_deflate, &codec_zstd,
                                            &codec_snappy};
enum { CODECS = sizeof codecs / sizeof *codecs };

const modfs_codec *modfs_codec_find(const char *name) {
  for (size_t i = 0; name && i < CODECS; i++)
    if (strcmp(codecs[i]->name, name) == 0) return codecs[i];
  return NULL;
}

const modfs_codec *modfs_codec_next(const modfs_codec *codec) {
  size_t i = 0;
  while (codec && i < CODECS && codecs[i++] != codec) {
  }
  return i < CODECS ? codecs[i] : NULL;
}

const char *modfs_codec_name(const modfs_codec *codec) {
  return codec->name;
}

bool modfs_codec_joins(const modfs_codec *codec) {
  return codec->joins;
}

bool codec_check(const modfs_codec *codec, TF_Status *status) {
  if (codec->decoder_new) return !codec->open || codec->open(codec, status);
  modfs_set_status(status, TF_UNIMPLEMENTED,
                   "codec %s is not built in; install %s and rebuild modfs", codec->name,
                   codec->package);
  return false;
}

bool modfs_codec_available(const modfs_codec *codec, TF_Status *status) {
  status_clear(status);
  return codec_check(codec, status);
}

/* Sources ---------------------------------------------------------------------- */

int64_t codec_source_read(const codec_source *source, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status) {
  if (!source->bytes)
    return file_read_some(source->file, source->start + offset, n, buffer, status);
  size_t left = offset < source->length ? source->length - (size_t)offset : 0;
  size_t taken = n < left ? n : left;
  if (taken > 0) memcpy(buffer, source->data + offset, taken);
  return (int64_t)taken;
}

void codec_source_fini(codec_source *source) {
  modfs_file_close(source->file);
  modfs_bytes_drop(source->bytes);
  *source = (codec_source){0};
}

static codec_source hold_source(const codec_source *source) {
  codec_source copy = *source;
  if (copy.file) file_hold(copy.file);
  if (copy.bytes) modfs_bytes_hold(copy.bytes);
  return copy;
}

/* Detection -------------------------------------------------------------------- */

/* A format without a magic number is tried: whether its first byte can be decoded. */
static bool decodes(const modfs_codec *codec, const codec_source *source, TF_Status *status) {
  modfs_file *file = codec_read_open(codec, hold_source(source), "", status);
  char byte;
  bool fits = file && file_read(file, 0, 1, &byte, status) >= 0;
  modfs_file_close(file);
  if (TF_GetCode(status) == TF_DATA_LOSS) status_clear(status);
  return fits;
}

/* The same; otherwise: where it cannot be tried. */
static bool may_be(const modfs_codec *codec, const codec_source *source, bool otherwise,
                   TF_Status *status) {
  if (codec_check(codec, status)) return decodes(codec, source, status);
  status_clear(status);
  return otherwise;
}

static bool starts_zlib(const unsigned char *head) {
  return (head[0] & 0x0f) == 8 && head[0] >> 4 <= 7 && (head[0] << 8 | head[1]) % 31 == 0 &&
         (head[1] & 0x20) == 0;
}

static bool starts_zstd(const unsigned char *head) {
  static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[] = {0x2a, 0x4d, 0x18};
  return memcmp(head, frame, 4) == 0 ||
         ((head[0] & 0xf0) == 0x50 && memcmp(head + 1, skipped, 3) == 0);
}

static const modfs_codec *find_magic(const unsigned char *head, int64_t got) {
  if (got >= 2 && head[0] == 0x1f && head[1] == 0x8b) return &codec_gzip;
  return got >= 4 && starts_zstd(head) ? &codec_zstd : NULL;
}

static const modfs_codec *detect(const codec_source *source, TF_Status *status) {
  unsigned char head[5] = {0};
  int64_t got = codec_source_read(source, 0, sizeof head, (char *)head, status);
  const modfs_codec *marked = find_magic(head, got);
  if (marked || got < 2) return marked;
  if (starts_zlib(head) && may_be(&codec_zlib, source, true, status)) return &codec_zlib;
  bool may_be_snappy = got == sizeof head && head[0] < 4 && status_ok(status);
  return may_be_snappy && may_be(&codec_snappy, source, false, status) ? &codec_snappy : NULL;
}

static modfs_file *open_source(const modfs_codec *codec, codec_source source, const char *shown,
                               TF_Status *status) {
  status_clear(status);
  if (!codec) codec = detect(&source, status);
  if (!codec && status_ok(status))
    TF_SetStatus(
        status, TF_INVALID_ARGUMENT,
        "cannot detect the codec from the content (gzip, zlib, zstd or snappy); name the codec");
  modfs_file *file = NULL;
  if (codec && status_ok(status) && codec_check(codec, status))
    file = codec_read_open(codec, hold_source(&source), shown, status);
  status_locate(status, "open", shown);
  return file;
}

modfs_file *modfs_codec_file(const modfs_codec *codec, modfs_file *file, uint64_t start,
                             TF_Status *status) {
  codec_source source = {.file = file, .start = start};
  return open_source(codec, source, modfs_file_name(file), status);
}

modfs_file *modfs_codec_bytes(const modfs_codec *codec, modfs_bytes *bytes, const char *data,
                              size_t length, const char *shown, TF_Status *status) {
  codec_source source = {.bytes = bytes, .data = data, .length = length};
  if (status_takes(status, "the shown name", shown))
    return open_source(codec, source, shown, status);
  status_locate(status, "decode", NULL);
  return NULL;
}
