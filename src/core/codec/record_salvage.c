/* Salvage of a damaged record file: every record whose checksums are right. */
#include "record.h"

#include <stdint.h>

#include "core/base/status.h"

/* The end of a record with a sound length, if another begins there or the file ends. The window
 * stays at the record: going back would make a decoder start over. */
static bool follow_length(modfs_records *records, uint64_t offset, uint64_t *next,
                          TF_Status *status) {
  const char *bytes;
  uint64_t length, other;
  if (record_fetch(records, offset, RECORD_HEADER, &bytes, status) < RECORD_HEADER) return false;
  if (!record_header(bytes, &length) || length > PTRDIFF_MAX / 2) return false;
  size_t size = RECORD_HEADER + (size_t)length + RECORD_FOOTER;
  size_t there = record_fetch(records, offset, size + RECORD_HEADER, &bytes, status);
  *next = offset + size;
  return there == size || (there == size + RECORD_HEADER && record_header(bytes + size, &other));
}

/* The next offset after a damaged record that could begin one; the end if there is none. */
static uint64_t search(modfs_records *records, uint64_t offset, TF_Status *status) {
  const char *bytes;
  uint64_t next, length;
  if (follow_length(records, offset, &next, status)) return next;
  for (next = offset + 1;; next++) {
    status_clear(status);
    size_t there = record_fetch(records, next, RECORD_HEADER, &bytes, status);
    if (there < RECORD_HEADER) return next + there;
    if (record_header(bytes, &length)) return next;
  }
}

static void note_gap(modfs_salvage *result, uint64_t offset, uint64_t end) {
  if (result->gaps < MODFS_SALVAGE_GAPS)
    result->places[result->gaps] = (modfs_salvage_gap){offset, end - offset};
  result->gaps++;
  result->lost_bytes += end - offset;
}

/* Copies records from offset on while they are sound; returns the offset of the first that is not.
 */
static uint64_t copy_sound(modfs_records *records, uint64_t offset, modfs_writable *to,
                           modfs_salvage *result, TF_Status *status) {
  modfs_record record;
  while (modfs_records_read(records, offset, &record, status)) {
    modfs_record_append(to, record.data, record.length, status);
    if (!status_ok(status)) return offset;
    result->records++;
    offset = record.next;
  }
  return offset;
}

/* Skips damage up to the next record that can be read whole, or to the end. */
static uint64_t pass_damage(modfs_records *records, uint64_t offset, TF_Status *status) {
  modfs_record record;
  while (TF_GetCode(status) == TF_DATA_LOSS && offset < record_limit(records)) {
    status_clear(status);
    offset = search(records, offset, status);
    status_clear(status);
    if (modfs_records_read(records, offset, &record, status)) break;
  }
  return offset;
}

void modfs_records_salvage(modfs_records *records, modfs_writable *to, modfs_salvage *result,
                           TF_Status *status) {
  uint64_t offset = 0;
  *result = (modfs_salvage){0};
  for (;;) {
    offset = copy_sound(records, offset, to, result, status);
    if (TF_GetCode(status) != TF_DATA_LOSS) return;
    uint64_t limit = record_limit(records);
    uint64_t next = limit > offset ? pass_damage(records, offset, status) : offset;
    if (!status_ok(status) && TF_GetCode(status) != TF_DATA_LOSS) return;
    if (next > limit) next = limit;
    note_gap(result, offset, next);
    if (record_limit(records) <= next) {
      result->cut = true;
      status_clear(status);
      return;
    }
    offset = next;
  }
}
