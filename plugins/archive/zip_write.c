/* Writing zip files: each member with a local header that has its sizes, as they are known by then;
 * the central directory at the end. Fields of 64 bits stand only where 32 are too few. Times are
 * those of the extended timestamp, in UTC, or where it cannot say them NTFS's, beside MS-DOS's own. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "error.h"
#include "writing.h"
#include "zip_entry.h"
#include "zip_name.h"

enum { SECOND = 1000000000 };
enum { FULL_16 = 0xffff, FLAG_UTF8 = 1 << 11, BY_UNIX = 3 << 8 | 45, PLAIN = 20, WIDE = 45 };
#define FULL_32 0xffffffffu

/* A record as it is built. */
typedef struct record {
  unsigned char bytes[128];
  size_t n;
} record;

static void put(record *self, int size, uint64_t number) {
  for (int i = 0; i < size; i++)
    self->bytes[self->n++] = (unsigned char)(number >> 8 * i);
}

/* Rounded down. */
static int64_t seconds_of(int64_t mtime_nsec) {
  return mtime_nsec / SECOND - (mtime_nsec % SECOND < 0);
}

static uint32_t dos_time(int64_t mtime_nsec) {
  time_t seconds = (time_t)seconds_of(mtime_nsec);
  struct tm parts;
  if (!localtime_r(&seconds, &parts) || parts.tm_year < 80) return 1 << 21 | 1 << 16;
  if (parts.tm_year > 207) parts.tm_year = 207;
  return (uint32_t)(parts.tm_year - 80) << 25 | (uint32_t)(parts.tm_mon + 1) << 21 |
         (uint32_t)parts.tm_mday << 16 | (uint32_t)parts.tm_hour << 11 |
         (uint32_t)parts.tm_min << 5 | (uint32_t)parts.tm_sec / 2;
}

static bool is_wide(uint64_t number) {
  return number >= FULL_32;
}

static uint32_t narrow(uint64_t number) {
  return is_wide(number) ? FULL_32 : (uint32_t)number;
}

/* The name ends in a slash for a directory. */
static size_t name_length(const index_entry *entry) {
  return strlen(entry->name) + (entry->kind == MODFS_KIND_DIRECTORY);
}

static bool put_name(writing *self, const index_entry *entry, TF_Status *status) {
  return writing_put(self, entry->name, strlen(entry->name), status) &&
         (entry->kind != MODFS_KIND_DIRECTORY || writing_put(self, "/", 1, status));
}

/* Steps of 100 ns since 1601. */
static void put_ntfs_time(record *self, int64_t seconds) {
  uint64_t ticks = (uint64_t)(seconds + 11644473600) * 10000000;
  put(self, 2, 0x000a);
  put(self, 2, 32);
  put(self, 4, 0);
  put(self, 2, 1);
  put(self, 2, 24);
  for (int i = 0; i < 3; i++) /* modified, accessed, created */
    put(self, 8, ticks);
}

static void put_unix_time(record *self, int64_t seconds) {
  put(self, 2, 0x5455);
  put(self, 2, 5);
  put(self, 1, 1);
  put(self, 4, (uint64_t)seconds);
}

static void put_time(record *self, const index_entry *entry) {
  int64_t seconds = seconds_of(entry->mtime_nsec);
  if (seconds == (int32_t)seconds)
    put_unix_time(self, seconds);
  else
    put_ntfs_time(self, seconds);
}

/* What local and central headers have alike, from the version to the length of the name. */
static void put_common(record *self, const index_entry *entry, bool wide) {
  bool is_text = zip_name_is_utf8(entry->name, strlen(entry->name));
  put(self, 2, wide ? WIDE : PLAIN);
  put(self, 2, is_text ? FLAG_UTF8 : 0);
  put(self, 2, entry->method);
  put(self, 4, dos_time(entry->mtime_nsec));
  put(self, 4, entry->crc);
}

bool zip_write_member(writing *self, index_entry *entry, const spool *content, TF_Status *status) {
  record head = {.n = 0}, extra = {.n = 0};
  const char *link = entry->kind == MODFS_KIND_LINK ? entry->link : "";
  if (*link) {
    entry->length = entry->stored = strlen(link);
    entry->crc = decode_crc(0, link, strlen(link));
  }
  bool wide = is_wide(entry->length) || is_wide(entry->stored);
  entry->offset = self->offset;
  put_time(&extra, entry);
  if (wide) {
    put(&extra, 2, 1);
    put(&extra, 2, 16);
    put(&extra, 8, entry->length);
    put(&extra, 8, entry->stored);
  }
  put(&head, 4, ZIP_LOCAL_SIGNATURE);
  put_common(&head, entry, wide);
  put(&head, 4, wide ? FULL_32 : entry->stored);
  put(&head, 4, wide ? FULL_32 : entry->length);
  put(&head, 2, name_length(entry));
  put(&head, 2, extra.n);
  return writing_put(self, head.bytes, head.n, status) && put_name(self, entry, status) &&
         writing_put(self, extra.bytes, extra.n, status) &&
         writing_put(self, link, strlen(link), status) && writing_put_spool(self, content, status);
}

static uint32_t type_of(const index_entry *entry) {
  return entry->kind == MODFS_KIND_DIRECTORY ? S_IFDIR
         : entry->kind == MODFS_KIND_LINK    ? S_IFLNK
                                             : S_IFREG;
}

static void put_wide(record *extra, const index_entry *entry) {
  size_t begin = extra->n;
  put(extra, 2, 1);
  put(extra, 2, 0);
  if (is_wide(entry->length)) put(extra, 8, entry->length);
  if (is_wide(entry->stored)) put(extra, 8, entry->stored);
  if (is_wide(entry->offset)) put(extra, 8, entry->offset);
  if (extra->n == begin + 4)
    extra->n = begin;
  else
    extra->bytes[begin + 2] = (unsigned char)(extra->n - begin - 4);
}

static bool put_central(writing *self, const index_entry *entry, TF_Status *status) {
  record head = {.n = 0}, extra = {.n = 0};
  bool is_directory = entry->kind == MODFS_KIND_DIRECTORY;
  put_time(&extra, entry);
  size_t plain = extra.n;
  put_wide(&extra, entry);
  put(&head, 4, ZIP_CENTRAL_SIGNATURE);
  put(&head, 2, BY_UNIX);
  put_common(&head, entry, extra.n > plain);
  put(&head, 4, narrow(entry->stored));
  put(&head, 4, narrow(entry->length));
  put(&head, 2, name_length(entry));
  put(&head, 2, extra.n);
  put(&head, 6, 0); /* comment, disk, kind of text */
  put(&head, 4, (uint64_t)(type_of(entry) | entry->mode) << 16 | (is_directory ? 16 : 0));
  put(&head, 4, narrow(entry->offset));
  return writing_put(self, head.bytes, head.n, status) && put_name(self, entry, status) &&
         writing_put(self, extra.bytes, extra.n, status);
}

static void put_end64(record *end, uint64_t count, uint64_t length, uint64_t offset) {
  uint64_t place = offset + length;
  put(end, 4, 0x06064b50);
  put(end, 8, 44);
  put(end, 2, BY_UNIX);
  put(end, 2, WIDE);
  put(end, 8, 0); /* the disks */
  put(end, 8, count);
  put(end, 8, count);
  put(end, 8, length);
  put(end, 8, offset);
  put(end, 4, 0x07064b50);
  put(end, 4, 0);
  put(end, 8, place);
  put(end, 4, 1);
}

bool zip_write_end(writing *self, TF_Status *status) {
  uint64_t offset = self->offset, count = 0;
  for (uint32_t i = 1; i < self->index.count; i++) {
    if (self->index.entries[i].is_implied) continue;
    if (!put_central(self, &self->index.entries[i], status)) return false;
    count++;
  }
  uint64_t length = self->offset - offset;
  record end = {.n = 0};
  if (count >= FULL_16 || is_wide(length) || is_wide(offset))
    put_end64(&end, count, length, offset);
  put(&end, 4, 0x06054b50);
  put(&end, 4, 0); /* the disks */
  put(&end, 2, count < FULL_16 ? count : FULL_16);
  put(&end, 2, count < FULL_16 ? count : FULL_16);
  put(&end, 4, narrow(length));
  put(&end, 4, narrow(offset));
  put(&end, 2, 0);
  return writing_put(self, end.bytes, end.n, status);
}
