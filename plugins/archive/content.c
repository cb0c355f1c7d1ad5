#include "content.h"

#include <stdlib.h>

#include "error.h"

enum { GRACE = 16 * 1024 * 1024, AT_ONCE = 1024 * 1024 };

static bool check_bomb(const index_entry *entry, const option_values *options, TF_Status *status) {
  uint64_t most = (uint64_t)options->items[ARCHIVE_MEMBER_BYTES].number;
  uint64_t ratio = (uint64_t)options->items[ARCHIVE_RATIO].number;
  if (entry->method == METHOD_STORED) return true;
  if (entry->length > most)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "it has %llu bytes; at most %llu are decompressed (option member_bytes)",
                     (unsigned long long)entry->length, (unsigned long long)most);
  if (entry->length > GRACE && entry->length / ratio > entry->stored)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "%llu compressed bytes claim to be %llu, more than %llu times as many "
                     "(option ratio)",
                     (unsigned long long)entry->stored, (unsigned long long)entry->length,
                     (unsigned long long)ratio);
  return true;
}

bool content_check(const archive *self, const index_entry *entry, const option_values *options,
                   TF_Status *status) {
  (void)self;
  if (entry->refusal == REFUSED_ENCRYPTED)
    return fail_with(status, TF_UNIMPLEMENTED, "it is encrypted; modfs does not decrypt");
  if (entry->refusal == REFUSED_SPARSE)
    return fail_with(status, TF_UNIMPLEMENTED, "it is a sparse file, which modfs does not read");
  if (entry->method != METHOD_STORED && entry->method != METHOD_DEFLATED &&
      entry->method != METHOD_ZSTD)
    return fail_with(status, TF_UNIMPLEMENTED,
                     "it is compressed by method %u; modfs reads 0 (stored), 8 (deflate) and "
                     "93 (zstd)",
                     entry->method);
  return check_bomb(entry, options, status);
}

static decode_form form_of(const index_entry *entry) {
  return entry->method == METHOD_STORED     ? DECODE_STORED
         : entry->method == METHOD_DEFLATED ? DECODE_DEFLATE
                                            : DECODE_ZSTD;
}

decoder *content_open(const archive *self, const index_entry *entry, uint64_t *offset,
                      TF_Status *status) {
  *offset = entry->offset;
  if (self->format == ARCHIVE_ZIP && !zip_find_content(self, entry, offset, status)) return NULL;
  return decode_open(form_of(entry), archive_file_of(self, entry), *offset, entry->stored, status);
}

bool content_fail_crc(const index_entry *entry, TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "damaged: the CRC of %.200s is not that of its content",
                   entry->name);
}

/* Decodes up to n bytes from the start; -1 on failure. */
static int64_t decode_start(const archive *self, const index_entry *entry, size_t n, char *bytes,
                            TF_Status *status) {
  bool at_once = self->format == ARCHIVE_ZIP && entry->stored <= AT_ONCE;
  const char *content;
  uint64_t offset;
  char *stored = at_once ? zip_read_content(self, entry, &content, status) : NULL;
  decoder *stream = NULL;
  if (stored)
    stream = decode_open_bytes(form_of(entry), content, (size_t)entry->stored, status);
  else if (!at_once)
    stream = content_open(self, entry, &offset, status);
  int64_t got = stream ? decode_some(stream, n, bytes, status) : -1;
  decode_close(stream);
  free(stored);
  return got;
}

/* The first byte of what is more than there should be shows that the stream does not end. All of it lets zlib take its
 * short way to the end of the content: it does so while a longest match, of 258 bytes, has room. */
enum { MORE = 260 };

char *content_whole(const archive *self, const index_entry *entry, TF_Status *status) {
  char *bytes = entry->length < PTRDIFF_MAX - MORE ? malloc((size_t)entry->length + MORE) : NULL;
  if (!bytes) {
    fail_no_memory(status);
    return NULL;
  }
  size_t length = (size_t)entry->length;
  int64_t got = decode_start(self, entry, length + MORE, bytes, status);
  if (got >= 0 && got != (int64_t)length)
    fail_with(status, TF_DATA_LOSS, "damaged: %.200s has %s bytes than the directory says",
              entry->name, got < (int64_t)length ? "fewer" : "more");
  if (archive_ok(status) && entry->has_crc && decode_crc(0, bytes, length) != entry->crc)
    content_fail_crc(entry, status);
  if (archive_ok(status)) {
    bytes[length] = '\0';
    return bytes;
  }
  free(bytes);
  return NULL;
}
