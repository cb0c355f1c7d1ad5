/* Hadoop's archives: a directory with _masterindex, whose first word is the version, _index, which lists the
 * members, and part-0, part-1, …, which hold their content, one behind the other. A line of _index is
 *
 *   NAME file PART OFFSET LENGTH PROPERTIES
 *   NAME dir PROPERTIES 0 0 CHILD CHILD …
 *
 * NAME is a path from "/" on, encoded as in the query of a URL since version 2. PROPERTIES, since version 3,
 * are four encoded words: the time in milliseconds, the permissions as a decimal number, owner and group.
 * The hashes of _masterindex find a line without reading all; here all are read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "error.h"

enum { MOST_PARTS = 10000, MOST_PART_NAME = 255, WORDS = 6, MASTER_SIZE = 64 };

typedef struct har_part {
  char name[MOST_PART_NAME + 1];
  base_file *file;
  uint64_t length;
} har_part;

static bool fail_damaged(TF_Status *status) {
  return fail_with(status, TF_DATA_LOSS, "no archive of Hadoop, or a damaged one");
}

static char *join(const char *directory, const char *name) {
  char *path = malloc(strlen(directory) + strlen(name) + 2);
  if (path) stpcpy(stpcpy(stpcpy(path, directory), "/"), name);
  return path;
}

char *archive_directory_file(archive_format format, const char *path) {
  return format == ARCHIVE_HAR ? join(path, "_index") : strdup(path);
}

base_file *archive_file_of(const archive *self, const index_entry *entry) {
  return self->format == ARCHIVE_HAR && entry->part < self->part_count
             ? self->parts[entry->part].file
             : self->file;
}

bool archive_is_replaced(const archive *self) {
  bool replaced = base_is_replaced(self->file);
  for (uint32_t i = 0; i < self->part_count && !replaced; i++)
    replaced = base_is_replaced(self->parts[i].file);
  return replaced;
}

void har_fini(archive *self) {
  for (uint32_t i = 0; i < self->part_count; i++)
    base_close(self->parts[i].file);
  free(self->parts);
  self->parts = NULL;
  self->part_count = 0;
}

/* The whole of a file of that length, with a NUL; NULL on failure. */
static char *read_all(base_file *file, uint64_t length, TF_Status *status) {
  char *bytes = malloc((size_t)length + 1);
  if (!bytes)
    fail_no_memory(status);
  else if (base_read(file, 0, (size_t)length, bytes, status)) {
    bytes[length] = '\0';
    return bytes;
  }
  free(bytes);
  return NULL;
}

static bool read_version(const archive *self, const modfs_host *host, long *version,
                         TF_Status *status) {
  base_version found;
  char *path = join(self->path, "_masterindex"), text[MASTER_SIZE + 1] = "";
  bool good = path ? base_look(host, path, &found, status) : fail_no_memory(status);
  base_file *file = good ? base_open(host, path, status) : NULL;
  size_t n = good && found.length < MASTER_SIZE ? (size_t)found.length : MASTER_SIZE;
  good = file && base_read(file, 0, n, text, status);
  base_close(file);
  free(path);
  if (!good) return false;
  *version = *text >= '0' && *text <= '9' ? strtol(text, NULL, 10) : 0;
  if (*version < 1) return fail_damaged(status);
  return *version <= 3 ||
         fail_with(status, TF_UNIMPLEMENTED,
                   "an archive of Hadoop of version %ld; modfs reads 1 to 3", *version);
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes the word in place: "+" is a space. False where it is malformed. */
static bool decode(char *word) {
  char *to = word;
  for (; *word; word++) {
    char c = *word == '+' ? ' ' : *word;
    if (c == '%') {
      int high = digit_of(word[1]), low = high >= 0 ? digit_of(word[2]) : -1;
      if (low < 0 || high * 16 + low == 0) return false;
      c = (char)(high * 16 + low);
      word += 2;
    }
    *to++ = c;
  }
  *to = '\0';
  return true;
}

static bool take_number(const char *word, uint64_t *number) {
  char *end = NULL;
  if (*word < '0' || *word > '9') return false;
  errno = 0;
  *number = strtoull(word, &end, 10);
  return errno == 0 && *end == '\0' && *number <= INT64_MAX;
}

/* Opens a part that is new; its number, or -1 on failure. */
static int32_t open_part(archive *self, const modfs_host *host, const char *name,
                         TF_Status *status) {
  base_version found;
  if (self->part_count == MOST_PARTS || strlen(name) > MOST_PART_NAME) {
    fail_with(status, TF_RESOURCE_EXHAUSTED, "more than %d parts, or one with a long name",
              (int)MOST_PARTS);
    return -1;
  }
  if (!self->parts && !(self->parts = calloc(MOST_PARTS, sizeof *self->parts))) {
    fail_no_memory(status);
    return -1;
  }
  har_part *made = &self->parts[self->part_count];
  char *path = join(self->path, name);
  bool good = path ? base_look(host, path, &found, status) : fail_no_memory(status);
  if (good && (made->file = base_open(host, path, status))) {
    made->length = (uint64_t)found.length;
    stpcpy(made->name, name);
    self->part_count++;
  } else if (TF_GetCode(status) == TF_NOT_FOUND) {
    fail_with(status, TF_DATA_LOSS, "the archive lacks its part %.255s", name);
  }
  free(path);
  return archive_ok(status) ? (int32_t)(self->part_count - 1) : -1;
}

/* Members of one part follow each other, so the last one is looked at first. */
static int32_t find_part(archive *self, const modfs_host *host, const char *name,
                         TF_Status *status) {
  if (!*name || strchr(name, '/') || strcmp(name, "..") == 0 || strcmp(name, ".") == 0) {
    fail_damaged(status);
    return -1;
  }
  for (uint32_t i = self->part_count; i-- > 0;)
    if (strcmp(self->parts[i].name, name) == 0) return (int32_t)i;
  return open_part(self, host, name, status);
}

/* What of the properties is understood; the rest is left out. */
static void dress(index_entry *entry, char *properties) {
  char *rest = NULL;
  uint64_t mtime, mode;
  if (!decode(properties)) return;
  const char *first = strtok_r(properties, " ", &rest), *second = strtok_r(NULL, " ", &rest);
  if (first && take_number(first, &mtime) && mtime <= INT64_MAX / 1000000) {
    entry->mtime_nsec = (int64_t)mtime * 1000000;
    entry->known |= MODFS_ATTRIBUTE_MTIME;
  }
  if (second && take_number(second, &mode) && mode <= 07777) {
    entry->mode = (uint32_t)mode;
    entry->known |= MODFS_ATTRIBUTE_MODE;
  }
}

/* What all lines have need of. */
typedef struct reading {
  archive *archive;
  const modfs_host *host;
  long version;
} reading;

static bool add_file(const reading *self, char *words[WORDS], TF_Status *status) {
  uint64_t offset, length;
  if (!words[4] || !take_number(words[3], &offset) || !take_number(words[4], &length))
    return fail_damaged(status);
  int32_t part = find_part(self->archive, self->host, words[2], status);
  if (part < 0) return false;
  uint64_t end = self->archive->parts[part].length;
  if (offset > end || length > end - offset)
    return fail_with(status, TF_DATA_LOSS, "the member \"%.200s\" lies beyond its part", words[0]);
  index_entry *entry =
      index_add(&self->archive->index, words[0], strlen(words[0]), MODFS_KIND_FILE, status);
  if (!entry) return archive_ok(status);
  entry->offset = offset;
  entry->stored = entry->length = length;
  entry->part = (uint16_t)part;
  if (self->version >= 3 && words[5]) dress(entry, words[5]);
  return true;
}

static bool add_directory(const reading *self, char *words[WORDS], TF_Status *status) {
  index_entry *entry =
      index_add(&self->archive->index, words[0], strlen(words[0]), MODFS_KIND_DIRECTORY, status);
  if (entry && self->version >= 3 && words[2]) dress(entry, words[2]);
  return archive_ok(status);
}

static bool add_line(const reading *self, char *line, TF_Status *status) {
  char *words[WORDS] = {NULL}, *rest = NULL;
  words[0] = strtok_r(line, " ", &rest);
  for (int i = 1; i < WORDS && words[i - 1]; i++)
    words[i] = strtok_r(NULL, " ", &rest);
  if (!words[0]) return true;
  if (!words[2] || (self->version >= 2 && !decode(words[0]))) return fail_damaged(status);
  if (strcmp(words[1], "file") == 0) return add_file(self, words, status);
  return strcmp(words[1], "dir") == 0 ? add_directory(self, words, status) : fail_damaged(status);
}

bool har_load(archive *self, const modfs_host *host, TF_Status *status) {
  reading state = {.archive = self, .host = host};
  if (self->length > self->index.limits.bytes)
    return fail_with(status, TF_RESOURCE_EXHAUSTED,
                     "its directory has %llu bytes (option index_bytes)",
                     (unsigned long long)self->length);
  if (!read_version(self, host, &state.version, status)) return false;
  char *list = read_all(self->file, self->length, status), *rest = NULL;
  if (!list) return false;
  bool good = memchr(list, '\0', (size_t)self->length) == NULL || fail_damaged(status);
  for (char *line = good ? strtok_r(list, "\n", &rest) : NULL; good && line;
       line = strtok_r(NULL, "\n", &rest))
    good = add_line(&state, line, status);
  free(list);
  return good;
}
