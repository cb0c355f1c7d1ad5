#include "zip_entry.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "decode.h"
#include "error.h"
#include "little.h"
#include "zip_name.h"

enum { HOST_DOS = 0, HOST_UNIX = 3, HOST_NTFS = 10, HOST_OSX = 19, DOS_DIRECTORY = 16 };
enum { FLAG_ENCRYPTED = 1, FLAG_UTF8 = 1 << 11 };
enum {
  EXTRA_ZIP64 = 0x0001,
  EXTRA_NTFS = 0x000a,
  EXTRA_TIME = 0x5455,
  EXTRA_OWNER = 0x7875,
  EXTRA_NAME = 0x7075
};

/* A header as it is read. */
typedef struct header {
  const unsigned char *bytes;
  const char *name;
  size_t name_length;
  const unsigned char *extra;
  size_t extra_length;
  uint64_t length, stored, offset;
  uint32_t mode;
  uint16_t flags;
  bool is_unix;
} header;

/* The content of an extra field, or NULL. */
static const unsigned char *find_extra(const header *self, unsigned id, size_t *length) {
  for (size_t at = 0; self->extra_length - at >= 4;) {
    size_t n = little_16(self->extra + at + 2);
    if (n > self->extra_length - at - 4) return NULL;
    *length = n;
    if (little_16(self->extra + at) == id) return self->extra + at + 4;
    at += 4 + n;
  }
  return NULL;
}

/* Takes the next number of 64 bits where the header's own is full. */
static bool widen(uint64_t *number, const unsigned char **from, size_t *left) {
  if (*number != UINT32_MAX) return true;
  if (*left < 8) return false;
  *number = little_64(*from);
  *from += 8;
  *left -= 8;
  return true;
}

static bool read_sizes(header *self, TF_Status *status) {
  size_t left = 0;
  const unsigned char *wide = find_extra(self, EXTRA_ZIP64, &left);
  self->stored = little_32(self->bytes + 20);
  self->length = little_32(self->bytes + 24);
  self->offset = little_32(self->bytes + 42);
  if (!wide) return true; /* a small archive may have such sizes by chance */
  if (widen(&self->length, &wide, &left) && widen(&self->stored, &wide, &left) &&
      widen(&self->offset, &wide, &left))
    return true;
  return fail_with(status, TF_DATA_LOSS, "damaged: a zip64 field is too short");
}

/* Times ------------------------------------------------------------------------------------- */

/* MS-DOS has local time, in steps of two seconds. */
static int64_t dos_time(uint32_t date, uint32_t time) {
  struct tm parts = {.tm_year = (int)(date >> 9) + 80,
                     .tm_mon = (int)(date >> 5 & 15) - 1,
                     .tm_mday = (int)(date & 31),
                     .tm_hour = (int)(time >> 11),
                     .tm_min = (int)(time >> 5 & 63),
                     .tm_sec = (int)(time & 31) * 2,
                     .tm_isdst = -1};
  time_t seconds = mktime(&parts);
  return seconds == (time_t)-1 ? 0 : (int64_t)seconds * 1000000000;
}

static int64_t read_time(const header *self) {
  size_t length;
  const unsigned char *extra = find_extra(self, EXTRA_TIME, &length);
  if (extra && length >= 5 && (extra[0] & 1))
    return (int64_t)(int32_t)little_32(extra + 1) * 1000000000;
  extra = find_extra(self, EXTRA_NTFS, &length);
  if (extra && length >= 16 && little_16(extra + 4) == 1) {
    /* 100 ns since 1601; beyond int64_t nanoseconds there is nothing to be dated. */
    int64_t ticks = (int64_t)(little_64(extra + 8) & INT64_MAX) - 116444736000000000;
    if (ticks < INT64_MAX / 100 && ticks > INT64_MIN / 100) return ticks * 100;
  }
  return dos_time(little_16(self->bytes + 14), little_16(self->bytes + 12));
}

/* Attributes -------------------------------------------------------------------------------- */

/* A number of `length` bytes; false where it has more than 32 bits. */
static bool read_number(const unsigned char *bytes, size_t length, uint32_t *number) {
  uint64_t value = 0;
  for (size_t i = 0; i < length; i++) {
    if (i >= 4 && bytes[i] != 0) return false;
    if (i < 4) value |= (uint64_t)bytes[i] << 8 * i;
  }
  *number = (uint32_t)value;
  return true;
}

static void read_owner(const header *self, index_entry *entry) {
  size_t length;
  const unsigned char *extra = find_extra(self, EXTRA_OWNER, &length);
  if (!extra || length < 3 || extra[0] != 1) return;
  size_t user = extra[1];
  if (user + 3 > length) return;
  size_t group = extra[2 + user];
  if (user + group + 3 > length || !read_number(extra + 2, user, &entry->owner) ||
      !read_number(extra + 3 + user, group, &entry->group))
    return;
  entry->known |= MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP;
}

/* Some programs of Windows write no slash behind the name. */
static bool is_directory(const header *self) {
  if (self->name_length > 0 && self->name[self->name_length - 1] == '/') return true;
  unsigned host = self->bytes[5];
  bool is_dos = host == HOST_DOS || host == HOST_NTFS;
  return is_dos && (self->bytes[38] & DOS_DIRECTORY) && self->length == 0;
}

static int kind_of(const header *self) {
  if (is_directory(self)) return MODFS_KIND_DIRECTORY;
  if (!self->is_unix || (self->mode & S_IFMT) == 0) return MODFS_KIND_FILE;
  switch (self->mode & S_IFMT) {
  case S_IFREG:
    return MODFS_KIND_FILE;
  case S_IFLNK:
    return MODFS_KIND_LINK;
  case S_IFDIR:
    return MODFS_KIND_DIRECTORY;
  default:
    return MODFS_KIND_OTHER;
  }
}

/* Names ------------------------------------------------------------------------------------- */

/* Info-ZIP's field with the name in UTF-8, if it is that of this name. */
static const char *unicode_name(const header *self, size_t *length) {
  size_t n;
  const unsigned char *extra = find_extra(self, EXTRA_NAME, &n);
  if (!extra || n < 6 || extra[0] != 1) return NULL;
  if (little_32(extra + 1) != decode_crc(0, self->name, self->name_length)) return NULL;
  *length = n - 5;
  return (const char *)extra + 5;
}

/* Programs of Unix write the bytes that the name has on disk; all others without a flag write code
 * page 437. */
static index_entry *add(const header *self, archive_index *index, TF_Status *status) {
  size_t length = self->name_length;
  const char *name = unicode_name(self, &length);
  bool is_text = name || (self->flags & FLAG_UTF8) || self->is_unix;
  if (is_text) return index_add(index, name ? name : self->name, length, kind_of(self), status);
  char *converted = malloc(ZIP_NAME_ROOM(length));
  if (!converted) {
    fail_no_memory(status);
    return NULL;
  }
  length = zip_name_from_437(self->name, length, converted);
  index_entry *entry = index_add(index, converted, length, kind_of(self), status);
  free(converted);
  return entry;
}

size_t zip_entry_add(archive_index *index, const unsigned char *bytes, size_t left, uint64_t delta,
                     TF_Status *status) {
  if (left < ZIP_CENTRAL || little_32(bytes) != ZIP_CENTRAL_SIGNATURE)
    return fail_with(status, TF_DATA_LOSS, "damaged: the central directory is cut off");
  unsigned host = bytes[5];
  header self = {.bytes = bytes,
                 .name = (const char *)bytes + ZIP_CENTRAL,
                 .name_length = little_16(bytes + 28),
                 .extra_length = little_16(bytes + 30),
                 .flags = little_16(bytes + 8),
                 .mode = little_32(bytes + 38) >> 16,
                 .is_unix = host == HOST_UNIX || host == HOST_OSX};
  size_t length = ZIP_CENTRAL + self.name_length + self.extra_length + little_16(bytes + 32);
  if (length > left)
    return fail_with(status, TF_DATA_LOSS, "damaged: the central directory is cut off");
  self.extra = bytes + ZIP_CENTRAL + self.name_length;
  if (!read_sizes(&self, status)) return 0;
  index_entry *entry = add(&self, index, status);
  if (!archive_ok(status)) return 0;
  if (!entry) return length; /* the root, or a name that is skipped */
  if (self.offset > UINT64_MAX - delta)
    return fail_with(status, TF_DATA_LOSS, "damaged: a member begins behind the end");
  entry->method = little_16(bytes + 10);
  entry->crc = little_32(bytes + 16);
  entry->has_crc = true;
  entry->length = self.length;
  entry->stored = self.stored;
  entry->offset = self.offset + delta;
  entry->refusal = self.flags & FLAG_ENCRYPTED ? REFUSED_ENCRYPTED : REFUSED_NOT;
  entry->mtime_nsec = read_time(&self);
  entry->known = MODFS_ATTRIBUTE_MTIME;
  if (self.is_unix && self.mode != 0) {
    entry->mode = self.mode & 07777;
    entry->known |= MODFS_ATTRIBUTE_MODE;
  }
  read_owner(&self, entry);
  return length;
}
