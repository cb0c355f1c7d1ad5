/* Writing tar files, in POSIX's form: a header as old programs read it, and before it an extended one
 * for what does not fit into that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "tar_header.h"
#include "writing.h"

enum { NAME = 100, MOST_RECORDS = 16 * 1024 };
#define MOST_SIZE 077777777777u

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

/* What does not fit is 0 here; an extended header has it. */
static uint64_t fitting(int64_t number, uint64_t most) {
  return number >= 0 && (uint64_t)number <= most ? (uint64_t)number : 0;
}

static void put_sum(char *block) {
  unsigned sum = 8 * ' ';
  for (int i = 0; i < TAR_BLOCK; i++)
    sum += (unsigned char)block[i];
  octal(block + 148, 7, sum);
  block[155] = ' ';
}

static void fill_header(char *block, const index_entry *entry, char type, uint64_t size) {
  enum { MOST_ID = 07777777 };
  size_t length = strlen(entry->name);
  uint32_t owner = entry->known & MODFS_ATTRIBUTE_OWNER ? entry->owner : geteuid();
  uint32_t group = entry->known & MODFS_ATTRIBUTE_GROUP ? entry->group : getegid();
  memset(block, 0, TAR_BLOCK);
  memcpy(block, entry->name, length < NAME ? length : NAME);
  if (type == '5' && length < NAME) block[length] = '/';
  octal(block + 100, 8, entry->mode);
  octal(block + 108, 8, fitting(owner, MOST_ID));
  octal(block + 116, 8, fitting(group, MOST_ID));
  octal(block + 124, 12, size <= MOST_SIZE ? size : 0);
  octal(block + 136, 12, fitting(entry->mtime_nsec / 1000000000, MOST_SIZE));
  block[156] = type;
  if (type == '2') memcpy(block + 157, entry->link, strnlen(entry->link, NAME));
  memcpy(block + 257, "ustar\00000", 8);
  put_sum(block);
}

/* What the header cannot hold. */
static void collect(records *all, const index_entry *entry, char type, uint64_t size) {
  char text[64];
  int64_t seconds = entry->mtime_nsec / 1000000000, rest = entry->mtime_nsec % 1000000000;
  if (strlen(entry->name) >= NAME) add_record(all, "path", entry->name);
  if (type == '2' && strlen(entry->link) > NAME) add_record(all, "linkpath", entry->link);
  if (size > MOST_SIZE) {
    snprintf(text, sizeof text, "%llu", (unsigned long long)size);
    add_record(all, "size", text);
  }
  if (rest > 0 && seconds >= 0) {
    snprintf(text, sizeof text, "%lld.%09lld", (long long)seconds, (long long)rest);
    add_record(all, "mtime", text);
  }
}

static bool put_padding(writing *self, uint64_t n, TF_Status *status) {
  static const char zeros[TAR_BLOCK];
  return writing_put(self, zeros, (size_t)(-n % TAR_BLOCK), status);
}

static bool put_extended(writing *self, const index_entry *entry, char type, uint64_t size,
                         TF_Status *status) {
  char block[TAR_BLOCK];
  records all = {malloc(MOST_RECORDS), 0};
  const index_entry named = {.name = "PaxHeader", .mode = 0644};
  if (!all.text) return fail_no_memory(status);
  collect(&all, entry, type, size);
  fill_header(block, &named, 'x', all.n);
  bool fine = all.n == 0 ||
              (writing_put(self, block, TAR_BLOCK, status) &&
               writing_put(self, all.text, all.n, status) && put_padding(self, all.n, status));
  free(all.text);
  return fine;
}

bool tar_write_member(writing *self, index_entry *entry, const spool *content, TF_Status *status) {
  char block[TAR_BLOCK];
  char type = entry->kind == MODFS_KIND_DIRECTORY ? '5'
              : entry->kind == MODFS_KIND_LINK    ? '2'
                                                  : '0';
  uint64_t size = content ? content->length : 0;
  if (!put_extended(self, entry, type, size, status)) return false;
  fill_header(block, entry, type, size);
  return writing_put(self, block, TAR_BLOCK, status) && writing_put_spool(self, content, status) &&
         put_padding(self, size, status);
}

bool tar_write_end(writing *self, TF_Status *status) {
  static const char zeros[2 * TAR_BLOCK];
  return writing_put(self, zeros, sizeof zeros, status);
}
