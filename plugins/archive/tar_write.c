/* Writing tar files, in POSIX's form: a header as old programs read it, and before it an extended one
 * for what does not fit into that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "tar_header.h"
#include "writing.h"

enum { NAME = 100, MOST_RECORDS = 16 * 1024, MOST_ID = 07777777, SECOND = 1000000000 };
#define MOST_SIZE 077777777777

typedef struct records {
  char *text;
  size_t n;
} records;

/* Adds "LENGTH KEY=VALUE\n", where LENGTH counts itself. */
static void add_record(records *self, const char *key, const char *value) {
  size_t rest = strlen(key) + strlen(value) + 3, length = rest + 1, digits = 1;
  for (size_t n = 10; length >= n; n *= 10) {
    digits++;
    length = rest + digits;
  }
  length = rest + digits;
  self->n += (size_t)snprintf(self->text + self->n, MOST_RECORDS - self->n, "%zu %s=%s\n", length,
                              key, value);
}

/* n - 1 digits, and a NUL. */
static void octal(char *field, size_t n, uint64_t number) {
  field[n - 1] = '\0';
  for (size_t i = n - 1; i > 0; number >>= 3)
    field[--i] = (char)('0' + (number & 7));
}

static bool fits(int64_t number, int64_t most) {
  return number >= 0 && number <= most;
}

/* What does not fit is 0 here; an extended header has it. */
static uint64_t fitting(int64_t number, int64_t most) {
  return fits(number, most) ? (uint64_t)number : 0;
}

/* The entry, with the owners that it will have. */
static index_entry with_owners(const writing *self, const index_entry *entry) {
  index_entry own = *entry;
  if (!(own.known & MODFS_ATTRIBUTE_OWNER)) own.owner = self->owner;
  if (!(own.known & MODFS_ATTRIBUTE_GROUP)) own.group = self->group;
  return own;
}

static void put_sum(char *block) {
  unsigned sum = 8 * ' ';
  for (int i = 0; i < TAR_BLOCK; i++)
    sum += (unsigned char)block[i];
  octal(block + 148, 7, sum);
  block[155] = ' ';
}

static void fill_header(char *block, const index_entry *entry, char type, uint64_t size) {
  size_t length = strlen(entry->name);
  memset(block, 0, TAR_BLOCK);
  memcpy(block, entry->name, length < NAME ? length : NAME);
  if (type == '5' && length < NAME) block[length] = '/';
  octal(block + 100, 8, entry->mode);
  octal(block + 108, 8, fitting(entry->owner, MOST_ID));
  octal(block + 116, 8, fitting(entry->group, MOST_ID));
  octal(block + 124, 12, fitting((int64_t)size, MOST_SIZE));
  octal(block + 136, 12, fitting(entry->mtime_nsec / SECOND, MOST_SIZE));
  block[156] = type;
  if (type == '2') memcpy(block + 157, entry->link, strnlen(entry->link, NAME));
  memcpy(block + 257, "ustar\00000", 8);
  put_sum(block);
}

static void add_number(records *self, const char *key, int64_t number, int64_t most) {
  char text[32];
  if (fits(number, most)) return;
  snprintf(text, sizeof text, "%lld", (long long)number);
  add_record(self, key, text);
}

static void add_time(records *self, int64_t nanoseconds) {
  char text[32];
  long long seconds = nanoseconds / SECOND, rest = nanoseconds % SECOND;
  snprintf(text, sizeof text, "%s%lld.%09lld", nanoseconds < 0 ? "-" : "", llabs(seconds),
           llabs(rest));
  if (rest == 0)
    add_number(self, "mtime", seconds, MOST_SIZE);
  else
    add_record(self, "mtime", text);
}

/* What the header cannot hold. */
static void collect(records *all, const index_entry *entry, char type, uint64_t size) {
  if (strlen(entry->name) >= NAME) add_record(all, "path", entry->name);
  if (type == '2' && strlen(entry->link) > NAME) add_record(all, "linkpath", entry->link);
  add_number(all, "size", (int64_t)size, MOST_SIZE);
  add_number(all, "uid", entry->owner, MOST_ID);
  add_number(all, "gid", entry->group, MOST_ID);
  add_time(all, entry->mtime_nsec);
}

bool tar_write_padding(writing *self, uint64_t length, TF_Status *status) {
  static const char zeros[TAR_BLOCK];
  return writing_put(self, zeros, (size_t)(-length % TAR_BLOCK), status);
}

static bool put_extended(writing *self, const index_entry *entry, char type, uint64_t size,
                         TF_Status *status) {
  char block[TAR_BLOCK];
  records all = {malloc(MOST_RECORDS), 0};
  const index_entry named = {
      .name = "PaxHeader", .mode = 0644, .owner = entry->owner, .group = entry->group};
  if (!all.text) return fail_no_memory(status);
  collect(&all, entry, type, size);
  fill_header(block, &named, 'x', all.n);
  bool fine = all.n == 0 || (writing_put(self, block, TAR_BLOCK, status) &&
                             writing_put(self, all.text, all.n, status) &&
                             tar_write_padding(self, all.n, status));
  free(all.text);
  return fine;
}

bool tar_write_member(writing *self, index_entry *entry, const spool *content, TF_Status *status) {
  char block[TAR_BLOCK];
  char type = entry->kind == MODFS_KIND_DIRECTORY ? '5'
              : entry->kind == MODFS_KIND_LINK    ? '2'
                                                  : '0';
  uint64_t size = entry->length;
  const index_entry own = with_owners(self, entry);
  if (!put_extended(self, &own, type, size, status)) return false;
  fill_header(block, &own, type, size);
  if (!writing_put(self, block, TAR_BLOCK, status)) return false;
  return !content ||
         (writing_put_spool(self, content, status) && tar_write_padding(self, size, status));
}

bool tar_write_end(writing *self, TF_Status *status) {
  static const char zeros[2 * TAR_BLOCK];
  return writing_put(self, zeros, sizeof zeros, status);
}
