/* TensorFlow's packages: the regions, one after the other; a protocol buffer that lists them; and in
 * the last 8 bytes where that begins. Its elements have offset (1), name (2) and length (3). Older
 * packages lack the length: a region then ends where the next one, or the list, begins, and may have
 * some bytes of padding at its end. */
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "error.h"
#include "little.h"

static const char prefix[] = "memmapped_package://";

/* What TensorFlow calls "." is the graph. */
static const char graph[] = "graph.pb";

typedef struct bytes {
  const unsigned char *at;
  const unsigned char *end;
} bytes;

static bool fail_damaged(TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "no TensorFlow package, or a damaged one");
}

static bool read_varint(bytes *from, uint64_t *number) {
  *number = 0;
  for (int shift = 0; shift < 64 && from->at < from->end; shift += 7) {
    unsigned char byte = *from->at++;
    *number |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

/* A field of a message: its number, and its value or bytes. */
typedef struct field {
  uint64_t key;
  uint64_t value;
  bytes content;
} field;

static bool read_field(bytes *from, field *out) {
  enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
  uint64_t tag, n;
  if (!read_varint(from, &tag)) return false;
  *out = (field){.key = tag >> 3};
  switch (tag & 7) {
  case VARINT:
    return read_varint(from, &out->value);
  case BYTES:
    if (!read_varint(from, &n)) return false;
    break;
  case FIXED64:
  case FIXED32:
    n = (tag & 7) == FIXED64 ? 8 : 4;
    break;
  default:
    return false;
  }
  if (n > (uint64_t)(from->end - from->at)) return false;
  out->content = (bytes){from->at, from->at + n};
  from->at += n;
  return true;
}

typedef struct region {
  uint64_t offset;
  uint64_t length; /* UINT64_MAX: not told */
  bytes name;
} region;

static bool read_region(bytes message, region *out) {
  field found;
  *out = (region){.length = UINT64_MAX, .name = {message.at, message.at}};
  while (message.at < message.end) {
    if (!read_field(&message, &found)) return false;
    if (found.key == 1) out->offset = found.value;
    if (found.key == 2 && found.content.at) out->name = found.content;
    if (found.key == 3) out->length = found.value;
  }
  return true;
}

static bool add_region(archive *self, bytes message, uint64_t end, TF_Status *status) {
  region found;
  if (!read_region(message, &found) || found.offset > end ||
      (found.length != UINT64_MAX && found.length > end - found.offset))
    return fail_damaged(status);
  const char *text = (const char *)found.name.at;
  size_t n = (size_t)(found.name.end - found.name.at), skip = sizeof prefix - 1;
  if (n <= skip || memcmp(text, prefix, skip) != 0) return fail_damaged(status);
  bool is_graph = n == skip + 1 && text[skip] == '.';
  index_entry *entry =
      is_graph ? index_add(&self->index, graph, sizeof graph - 1, MODFS_KIND_FILE, status)
               : index_add(&self->index, text + skip, n - skip, MODFS_KIND_FILE, status);
  if (entry) {
    entry->offset = found.offset;
    entry->stored = entry->length = found.length;
  }
  return archive_ok(status);
}

/* An empty region begins where the next one in the list does. */
static int compare(const void *a, const void *b) {
  const index_entry *x = *(index_entry *const *)a, *y = *(index_entry *const *)b;
  if (x->offset == y->offset) return (x > y) - (x < y);
  return x->offset > y->offset ? 1 : -1;
}

/* Gives a length to regions without one. */
static bool complete(archive *self, uint64_t end, TF_Status *status) {
  uint32_t count = 0;
  index_entry **all = malloc(self->index.count * sizeof *all);
  if (!all) return fail_no_memory(status);
  for (uint32_t i = 1; i < self->index.count; i++)
    if (self->index.entries[i].kind == MODFS_KIND_FILE) all[count++] = &self->index.entries[i];
  qsort(all, count, sizeof *all, compare);
  for (uint32_t i = 0; i < count; i++)
    if (all[i]->length == UINT64_MAX)
      all[i]->stored = all[i]->length = (i + 1 < count ? all[i + 1]->offset : end) - all[i]->offset;
  free(all);
  return true;
}

static bool read_list(archive *self, uint64_t at, uint64_t end, TF_Status *status) {
  unsigned char *list = malloc((size_t)(end - at) + 1);
  if (!list) return fail_no_memory(status);
  bytes from = {list, list + (end - at)};
  field found;
  if (base_read(self->file, at, (size_t)(end - at), list, status))
    while (from.at < from.end && archive_ok(status)) {
      if (!read_field(&from, &found))
        fail_damaged(status);
      else if (found.key == 1 && found.content.at)
        add_region(self, found.content, at, status);
    }
  free(list);
  return archive_ok(status);
}

bool package_load(archive *self, TF_Status *status) {
  unsigned char last[8];
  if (self->length <= sizeof last) return fail_damaged(status);
  uint64_t end = self->length - sizeof last;
  if (!base_read(self->file, end, sizeof last, last, status)) return false;
  uint64_t at = little_64(last);
  if (at > end) return fail_damaged(status);
  if (end - at > self->index.limits.bytes)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "its directory has %llu bytes (option index_bytes)",
                     (unsigned long long)(end - at));
  return read_list(self, at, end, status) && complete(self, at, status);
}
