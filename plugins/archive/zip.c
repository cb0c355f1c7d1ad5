/* Finding the directory of a zip file: the end record is searched from the end, says where the
 * central directory lies, and what stands before the archive (the program of one that extracts
 * itself) is found by the difference. The sizes of all three must fit into the file. Members that
 * lie over each other are refused: bombs are made of them, and no archiver makes them. */
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "error.h"
#include "little.h"
#include "zip_entry.h"

enum { END = 22, END64 = 56, LOCATOR = 20, COMMENT = 65535, TAIL = LOCATOR + END + COMMENT };
#define END_SIGNATURE 0x06054b50u
#define END64_SIGNATURE 0x06064b50u
#define LOCATOR_SIGNATURE 0x07064b50u

typedef struct central {
  uint64_t entries;
  uint64_t length;
  uint64_t offset; /* in the file */
  uint64_t delta;  /* what stands before the archive */
} central;

static bool fail_damaged(TF_Status *status, const char *what) {
  return fail_with(status, TF_DATA_LOSS, "damaged: %s", what);
}

/* Where the zeros and line ends begin that some programs put behind a file. Anything else there may be
 * the rest of an archive that was cut off, in which this one is a member. */
static size_t find_padding(const unsigned char *tail, size_t n) {
  while (n > 0 && strchr("\r\n", tail[n - 1])) /* it finds zeros, too */
    n--;
  return n;
}

/* The offset of the end record in the tail; -1: there is none. */
static long find_end(const unsigned char *tail, size_t n) {
  size_t padding = find_padding(tail, n);
  for (long at = (long)n - END; at >= 0; at--) {
    size_t end = (size_t)at + END + little_16(tail + at + 20);
    if (little_32(tail + at) == END_SIGNATURE && end <= n && end >= padding) return at;
  }
  return -1;
}

/* Reads the zip64 end record that a locator before the end record names. */
static bool read_end64(const archive *self, const unsigned char *locator, uint64_t end,
                       central *found, TF_Status *status) {
  unsigned char record[END64];
  uint64_t at = little_64(locator + 8), before = end - LOCATOR;
  if (before < END64 || little_32(locator + 16) > 1)
    return fail_damaged(status, "its zip64 end record is not in this file");
  /* With something before the archive, the record lies right before its locator. */
  for (int attempt = 0; attempt < 2; attempt++, at = before - END64) {
    if (at > before - END64) continue;
    if (!base_read(self->file, at, END64, record, status)) return false;
    if (little_32(record) != END64_SIGNATURE) continue;
    found->entries = little_64(record + 32);
    found->length = little_64(record + 40);
    found->offset = little_64(record + 48);
    if (found->length > at || found->offset > at - found->length)
      return fail_damaged(status, "its central directory lies behind its end");
    found->delta = at - found->length - found->offset;
    return true;
  }
  return fail_damaged(status, "it has no zip64 end record");
}

static bool read_end(const archive *self, const unsigned char *tail, size_t n, central *found,
                     TF_Status *status) {
  long at = find_end(tail, n);
  if (at < 0)
    return fail_with(status, TF_DATA_LOSS,
                     "no zip archive, or one that is cut off: it has no "
                     "end of a central directory");
  const unsigned char *end = tail + at;
  uint64_t place = self->length - n + (uint64_t)at;
  if (at >= LOCATOR && little_32(end - LOCATOR) == LOCATOR_SIGNATURE)
    return read_end64(self, end - LOCATOR, place, found, status);
  *found = (central){little_16(end + 10), little_32(end + 12), little_32(end + 16), 0};
  if (little_16(end + 4) != 0 || little_16(end + 8) != found->entries)
    return fail_with(status, TF_UNIMPLEMENTED, "it is a part of an archive of several files");
  if (found->length > place || found->offset > place - found->length)
    return fail_damaged(status, "its central directory lies behind its end");
  found->delta = place - found->length - found->offset;
  return true;
}

/* Members ----------------------------------------------------------------------------------- */

typedef struct span {
  uint64_t begin, end;
} span;

static int compare(const void *a, const void *b) {
  const span *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Members lie before the central directory, which is at end. */
static bool check_span(const index_entry *entry, uint64_t end, TF_Status *status) {
  if (entry->offset > end || end - entry->offset < ZIP_LOCAL ||
      end - entry->offset - ZIP_LOCAL < entry->stored)
    return fail_damaged(status, "a member lies outside of the archive");
  if (entry->method == METHOD_STORED && entry->stored != entry->length &&
      entry->refusal == REFUSED_NOT)
    return fail_damaged(status, "a stored member has two lengths");
  return true;
}

/* Nor do they lie over each other. */
static bool check_spans(const archive *self, const central *found, TF_Status *status) {
  const archive_index *index = &self->index;
  span *spans = malloc(index->count * sizeof *spans);
  size_t count = 0;
  if (!spans) return fail_no_memory(status);
  for (uint32_t i = 1; i < index->count; i++) {
    const index_entry *entry = &index->entries[i];
    if (entry->is_implied) continue;
    if (!check_span(entry, found->offset + found->delta, status)) break;
    spans[count++] = (span){entry->offset, entry->offset + ZIP_LOCAL + entry->stored};
  }
  qsort(spans, archive_ok(status) ? count : 0, sizeof *spans, compare);
  for (size_t i = 1; i < count && archive_ok(status); i++)
    if (spans[i].begin < spans[i - 1].end)
      fail_with(status, TF_DATA_LOSS,
                "members lie over each other, as in an archive that is made to fill up disks");
  free(spans);
  return archive_ok(status);
}

static bool read_entries(archive *self, const unsigned char *bytes, const central *found,
                         TF_Status *status) {
  size_t at = 0, length = (size_t)found->length;
  uint64_t count = 0;
  while (at < length && little_32(bytes + at) == ZIP_CENTRAL_SIGNATURE) {
    size_t n = zip_entry_add(&self->index, bytes + at, length - at, found->delta, status);
    if (n == 0) return false;
    at += n;
    count++;
    if (length - at < 4) break;
  }
  /* An archive without zip64 counts modulo 65536 in some writers. */
  if ((uint16_t)count != (uint16_t)found->entries)
    return fail_damaged(status, "its central directory has another number of members than its end "
                                "says");
  return check_spans(self, found, status);
}

bool zip_load(archive *self, TF_Status *status) {
  size_t n = self->length < TAIL ? (size_t)self->length : TAIL;
  unsigned char *tail = malloc(n + 1), *bytes = NULL;
  central found = {0};
  if (!tail) return fail_no_memory(status);
  if (base_read(self->file, self->length - n, n, tail, status) &&
      read_end(self, tail, n, &found, status)) {
    uint64_t at = found.offset + found.delta, tail_at = self->length - n;
    if (found.length > self->index.limits.bytes)
      fail_with(status, TF_RESOURCE_EXHAUSTED,
                "its central directory has %llu bytes (option index_bytes)",
                (unsigned long long)found.length);
    else if (at >= tail_at)
      read_entries(self, tail + (at - tail_at), &found, status);
    else if (!(bytes = malloc((size_t)found.length + 1)))
      fail_no_memory(status);
    else if (base_read(self->file, at, (size_t)found.length, bytes, status))
      read_entries(self, bytes, &found, status);
  }
  free(bytes);
  free(tail);
  return archive_ok(status);
}

/* Content ----------------------------------------------------------------------------------- */

/* How far a member's first stored byte lies behind its local header, which repeats name and fields
 * with lengths of its own. 0 on failure. */
static uint64_t content_skip(const archive *self, const index_entry *entry,
                             const unsigned char *header, TF_Status *status) {
  uint64_t skip = ZIP_LOCAL + (uint64_t)little_16(header + 26) + little_16(header + 28);
  if (little_32(header) != ZIP_LOCAL_SIGNATURE || little_16(header + 8) != entry->method) {
    fail_damaged(status, "a member's header is not what the directory says");
  } else if (skip > self->length - entry->offset ||
             self->length - entry->offset - skip < entry->stored) {
    fail_damaged(status, "a member reaches behind the end");
  } else {
    return skip;
  }
  return 0;
}

bool zip_find_content(const archive *self, const index_entry *entry, uint64_t *offset,
                      TF_Status *status) {
  unsigned char header[ZIP_LOCAL];
  if (!base_read(self->file, entry->offset, sizeof header, header, status)) return false;
  uint64_t skip = content_skip(self, entry, header, status);
  *offset = entry->offset + skip;
  return skip > 0;
}

char *zip_read_content(const archive *self, const index_entry *entry, const char **content,
                       TF_Status *status) {
  enum { FIELDS = 64 };
  uint64_t most = ZIP_LOCAL + strlen(entry->name) + FIELDS + entry->stored;
  uint64_t left = self->length - entry->offset;
  size_t n = (size_t)(most < left ? most : left);
  char *bytes = malloc(n);
  uint64_t skip = 0;
  if (!bytes)
    fail_no_memory(status);
  else if (base_read(self->file, entry->offset, n, bytes, status))
    skip = content_skip(self, entry, (const unsigned char *)bytes, status);
  *content = skip > 0 ? bytes + skip : NULL;
  if (skip > 0 && n < skip + entry->stored) { /* the fields are longer */
    *content = bytes;
    base_read(self->file, entry->offset + skip, (size_t)entry->stored, bytes, status);
  }
  if (archive_ok(status)) return bytes;
  free(bytes);
  return NULL;
}
