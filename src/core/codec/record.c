/* Record files: a window of the file moves along, and whole records are returned as pointers into
 * it. For one thread at a time; the thread of the read-ahead does not touch the window. */
#include "record.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ahead.h"
#include "codec.h"
#include "core/base/crc32c.h"
#include "core/fs/file.h"
#include "core/base/status.h"
#include "core/fs/writable.h"

/* A refill keeps the rest of the window, so there is room for a whole piece behind a small rest. */
enum { PIECE = 256 * 1024, SPARE = 64 * 1024, FIRST_PIECE = 8 * 1024, MARK_EVERY = 64 };

struct modfs_records {
  modfs_file *file;
  ahead *ahead;   /* NULL: none */
  uint64_t first; /* of the window: the offset of its first byte */
  size_t used;
  size_t room;
  size_t piece; /* bytes to read at once: small after a jump, growing while reading is sequential */
  char *window;
  uint64_t *marks; /* index: offsets of record 0, MARK_EVERY, … */
  size_t marks_room;
  uint64_t scanned; /* records counted so far, up to the offset */
  uint64_t scan_offset;
  bool scanned_all;
};

modfs_records *modfs_records_open(modfs_file *file, TF_Status *status) {
  status_clear(status);
  modfs_records *records = calloc(1, sizeof *records);
  char *window = records ? malloc(PIECE + SPARE) : NULL;
  if (!window) {
    free(records);
    status_no_memory(status);
    return NULL;
  }
  *records = (modfs_records){.file = file, .room = PIECE + SPARE, .piece = PIECE, .window = window};
  return records;
}

bool modfs_records_prefetch(modfs_records *records, TF_Status *status) {
  status_clear(status);
  if (!records->ahead) records->ahead = ahead_start(records->file, status);
  status_locate(status, "open", modfs_file_name(records->file));
  return records->ahead != NULL;
}

void modfs_records_close(modfs_records *records) {
  if (!records) return;
  ahead_stop(records->ahead);
  modfs_file_close(records->file);
  free(records->window);
  free(records->marks);
  free(records);
}

const char *modfs_records_name(const modfs_records *records) {
  return modfs_file_name(records->file);
}

/* The window ------------------------------------------------------------------ */

uint64_t record_limit(const modfs_records *records) {
  return modfs_file_codec(records->file) ? codec_read_limit(records->file) : UINT64_MAX;
}

/* How many of n bytes precede the damage that was met; n if there is none among them. */
static size_t sound_bytes(const modfs_records *records, uint64_t offset, size_t n) {
  uint64_t limit = record_limit(records);
  return offset < limit && limit - offset < n ? (size_t)(limit - offset) : n;
}

/* Large pieces are read in sequence and use the read-ahead; small ones are random access. */
static int64_t read_piece(const modfs_records *records, uint64_t offset, size_t n, char *to,
                          TF_Status *status) {
  if (records->ahead && records->piece >= PIECE)
    return ahead_read(records->ahead, offset, n, to, status);
  ahead_pause(records->ahead);
  return file_read(records->file, offset, n, to, status);
}

/* Adds up to n bytes to the window; whether there may be more. A read that meets damage makes the
 * decoder start over, so no read crosses damage that is known. */
static bool add(modfs_records *records, size_t n, TF_Status *status) {
  uint64_t offset = records->first + records->used;
  char *to = records->window + records->used;
  size_t asked = sound_bytes(records, offset, n);
  int64_t got = read_piece(records, offset, asked, to, status);
  size_t fewer = got < 0 ? sound_bytes(records, offset, asked) : asked;
  if (fewer < asked) {
    status_clear(status);
    asked = fewer;
    got = file_read(records->file, offset, asked, to, status);
  }
  if (got > 0) records->used += (size_t)got;
  return got == (int64_t)asked;
}

/* Makes room for n bytes, but at most doubles the window: a damaged length must not take memory. */
static bool widen(modfs_records *records, size_t n, TF_Status *status) {
  if (records->room - records->used >= FIRST_PIECE || records->room >= n) return true;
  size_t room = n / 2 > records->room ? 2 * records->room : n + SPARE;
  char *larger = realloc(records->window, room);
  if (!larger) {
    status_no_memory(status);
    return false;
  }
  records->window = larger;
  records->room = room;
  return true;
}

static void fill(modfs_records *records, size_t n, TF_Status *status) {
  bool more = true;
  while (more && records->used < n && widen(records, n, status)) {
    size_t room = records->room - records->used, missing = n - records->used;
    size_t asked = records->piece > missing ? records->piece : missing;
    if (asked > PIECE) asked = PIECE;
    more = add(records, asked < room ? asked : room, status);
    if (records->piece < PIECE) records->piece *= 4;
  }
}

/* Moves the window so that it begins at offset. */
static void slide(modfs_records *records, uint64_t offset) {
  uint64_t end = records->first + records->used;
  bool apart = offset < records->first || offset > end;
  size_t rest = apart ? 0 : (size_t)(end - offset);
  if (apart) records->piece = FIRST_PIECE;
  if (rest > 0) memmove(records->window, records->window + (records->used - rest), rest);
  records->first = offset;
  records->used = rest;
}

size_t record_fetch(modfs_records *records, uint64_t offset, size_t n, const char **data,
                    TF_Status *status) {
  uint64_t start = offset - records->first; /* huge when offset lies before the window */
  if (start > records->used || records->used - start < n) {
    slide(records, offset);
    fill(records, n, status);
    if (records->used >= n) status_clear(status); /* the failure lies beyond the n bytes */
    start = 0;
  }
  *data = records->window + start;
  size_t there = records->used - (size_t)start;
  return there < n ? there : n;
}

/* Reading --------------------------------------------------------------------- */

static bool has_sum(const char *data, size_t n, const char *sum) {
  uint32_t stored;
  memcpy(&stored, sum, sizeof stored);
  return crc32c_mask(crc32c_extend(0, data, n)) == le32toh(stored);
}

bool record_header(const char *header, uint64_t *length) {
  uint64_t stored;
  memcpy(&stored, header, sizeof stored);
  *length = le64toh(stored);
  return has_sum(header, 8, header + 8);
}

static void damaged(uint64_t offset, const char *what, TF_Status *status) {
  if (status_ok(status))
    modfs_set_status(status, TF_DATA_LOSS, "the record at offset %" PRIu64 " is damaged: %s",
                     offset, what);
}

/* What is wrong with a record's header. At the start of the file, bytes like those of a compressed
 * stream mean that it is one. */
static const char *header_fault(const modfs_records *records, uint64_t offset, const char *header) {
  unsigned first = (unsigned char)header[0], second = (unsigned char)header[1];
  if (offset == 0 && modfs_file_codec(records->file) == NULL) {
    if (first == 0x1f && second == 0x8b)
      return "the file is a gzip stream; set compression = \"GZIP\"";
    if (first == 0x78 && (first * 256 + second) % 31 == 0)
      return "the file looks like a zlib stream; set compression = \"ZLIB\"";
  }
  return "checksum mismatch in its length";
}

/* The length of the record; false at the end of the file and on failure. */
static bool read_header(modfs_records *records, uint64_t offset, size_t *length,
                        TF_Status *status) {
  const char *header;
  uint64_t claimed;
  size_t got = record_fetch(records, offset, RECORD_HEADER, &header, status);
  if (got == 0) return false;
  if (got < RECORD_HEADER)
    damaged(offset, "truncated in its header", status);
  else if (!record_header(header, &claimed))
    damaged(offset, header_fault(records, offset, header), status);
  else if (claimed > (uint64_t)INT64_MAX - offset - RECORD_HEADER - RECORD_FOOTER ||
           claimed > PTRDIFF_MAX - PIECE)
    damaged(offset, "its length exceeds the largest possible file", status);
  else
    *length = (size_t)claimed;
  return status_ok(status);
}

static bool read_record(modfs_records *records, uint64_t offset, modfs_record *record,
                        TF_Status *status) {
  const char *whole;
  size_t length;
  if (!read_header(records, offset, &length, status)) return false;
  size_t n = RECORD_HEADER + length + RECORD_FOOTER;
  if (record_fetch(records, offset, n, &whole, status) < n) {
    damaged(offset, "truncated", status);
    return false;
  }
  const char *data = whole + RECORD_HEADER;
  if (!has_sum(data, length, data + length)) {
    damaged(offset, "checksum mismatch in its data", status);
    return false;
  }
  *record = (modfs_record){data, length, offset + n};
  return true;
}

bool record_in_window(const modfs_records *records, uint64_t offset, modfs_record *record) {
  uint64_t start = offset - records->first, length; /* huge before the window */
  if (start > records->used || records->used - start < RECORD_HEADER + RECORD_FOOTER) return false;
  const char *header = records->window + start, *data = header + RECORD_HEADER;
  size_t left = records->used - (size_t)start - RECORD_HEADER - RECORD_FOOTER;
  if (!record_header(header, &length) || length > left || !has_sum(data, length, data + length))
    return false;
  *record = (modfs_record){data, length, offset + RECORD_HEADER + length + RECORD_FOOTER};
  return true;
}

bool modfs_records_read(modfs_records *records, uint64_t offset, modfs_record *record,
                        TF_Status *status) {
  status_clear(status);
  if (record_in_window(records, offset, record)) return true;
  bool found = read_record(records, offset, record, status);
  if (!found) status_locate(status, "read", modfs_records_name(records));
  return found;
}

/* Finding --------------------------------------------------------------------- */

/* Moves to the next record by the length in this one's header; this one must not be truncated. */
static bool pass_record(modfs_records *records, uint64_t *offset, uint64_t *data_bytes,
                        TF_Status *status) {
  const char *footer;
  size_t length = 0;
  if (!read_header(records, *offset, &length, status)) return false;
  uint64_t end = *offset + RECORD_HEADER + length;
  if (record_fetch(records, end, RECORD_FOOTER, &footer, status) < RECORD_FOOTER) {
    damaged(*offset, "truncated", status);
    return false;
  }
  *offset = end + RECORD_FOOTER;
  if (data_bytes) *data_bytes += length;
  return true;
}

uint64_t modfs_records_skip(modfs_records *records, uint64_t *offset, uint64_t n,
                            TF_Status *status) {
  uint64_t passed = 0;
  status_clear(status);
  while (passed < n && pass_record(records, offset, NULL, status))
    passed++;
  status_locate(status, "skip", modfs_records_name(records));
  return passed;
}

static bool set_mark(modfs_records *records, TF_Status *status) {
  size_t at = (size_t)(records->scanned / MARK_EVERY);
  if (at >= records->marks_room) {
    size_t room = records->marks_room > 0 ? 2 * records->marks_room : 64;
    uint64_t *marks = realloc(records->marks, room * sizeof *marks);
    if (!marks) {
      status_no_memory(status);
      return false;
    }
    records->marks = marks;
    records->marks_room = room;
  }
  records->marks[at] = records->scan_offset;
  return true;
}

/* Continues the count, up to n records. */
static void scan(modfs_records *records, uint64_t n, TF_Status *status) {
  while (!records->scanned_all && records->scanned < n) {
    if (records->scanned % MARK_EVERY == 0 && !set_mark(records, status)) return;
    if (!pass_record(records, &records->scan_offset, NULL, status)) {
      records->scanned_all = status_ok(status);
      return;
    }
    records->scanned++;
  }
}

bool modfs_records_find(modfs_records *records, uint64_t index, uint64_t *offset,
                        TF_Status *status) {
  status_clear(status);
  scan(records, index + 1, status);
  bool found = index < records->scanned;
  if (found) {
    status_clear(status);
    *offset = records->marks[index / MARK_EVERY];
    for (uint64_t left = index % MARK_EVERY; left > 0 && status_ok(status); left--)
      pass_record(records, offset, NULL, status);
  }
  status_locate(status, "find", modfs_records_name(records));
  return found && status_ok(status);
}

uint64_t modfs_records_count(modfs_records *records, TF_Status *status) {
  status_clear(status);
  scan(records, UINT64_MAX, status);
  status_locate(status, "count", modfs_records_name(records));
  return records->scanned;
}

/* Writing --------------------------------------------------------------------- */

static void store_sum(char *to, const char *data, size_t n) {
  uint32_t sum = htole32(crc32c_mask(crc32c_extend(0, data, n)));
  memcpy(to, &sum, sizeof sum);
}

static void make_header(char *header, size_t n) {
  uint64_t length = htole64(n);
  memcpy(header, &length, sizeof length);
  store_sum(header + sizeof length, header, sizeof length);
}

/* Appends three pieces, as TensorFlow does: a block of snappy may end between two of them. */
void modfs_record_append(modfs_writable *writable, const char *data, size_t n, TF_Status *status) {
  char *whole = writable_room(writable, RECORD_HEADER + n + RECORD_FOOTER);
  if (whole) {
    make_header(whole, n);
    if (n > 0) memcpy(whole + RECORD_HEADER, data, n);
    store_sum(whole + RECORD_HEADER + n, data, n);
    status_clear(status);
    return;
  }
  char header[RECORD_HEADER], footer[RECORD_FOOTER];
  make_header(header, n);
  store_sum(footer, data, n);
  modfs_writable_append(writable, header, sizeof header, status);
  if (status_ok(status)) modfs_writable_append(writable, data, n, status);
  if (status_ok(status)) modfs_writable_append(writable, footer, sizeof footer, status);
}
