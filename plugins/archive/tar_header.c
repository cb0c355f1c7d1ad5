#include "tar_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static bool fail_damaged(TF_Status *status, const char *what) {
  return fail_with(status, TF_DATA_LOSS, "damaged: %s", what);
}

bool tar_block_is_zero(const unsigned char *block) {
  for (int i = 0; i < TAR_BLOCK; i++)
    if (block[i]) return false;
  return true;
}

/* Octal digits, or GNU's binary form, whose first bit is set: the rest is a number with a sign. */
static bool read_number(const unsigned char *field, size_t n, int64_t *number) {
  int64_t value = 0;
  size_t i = 0;
  if (field[0] & 0x80) {
    value = (field[0] & 0x7f) - (field[0] & 0x40) * 2;
    for (i = 1; i < n; i++) {
      if (value > INT64_MAX >> 8 || value < INT64_MIN / 256) return false;
      value = value * 256 + field[i];
    }
    *number = value;
    return true;
  }
  while (i < n && field[i] == ' ')
    i++;
  for (; i < n && field[i] >= '0' && field[i] <= '7'; i++)
    value = value * 8 + (field[i] - '0');
  *number = value;
  return i == n || field[i] == ' ' || field[i] == '\0';
}

/* The field itself counts as spaces. Some old programs add up signed bytes. */
static bool has_sum(const unsigned char *block, int64_t sum) {
  enum { FIELD = 148, FIELD_END = 156 };
  int plain = 8 * ' ', with_sign = 8 * ' ';
  for (int i = 0; i < TAR_BLOCK; i++)
    plain += block[i];
  for (int i = FIELD; i < FIELD_END; i++)
    plain -= block[i];
  if (sum == plain) return true;
  for (int i = 0; i < TAR_BLOCK; i++)
    with_sign += i < FIELD || i >= FIELD_END ? (signed char)block[i] : 0;
  return sum == with_sign;
}

static void copy_field(char *out, const unsigned char *field, size_t n) {
  size_t length = strnlen((const char *)field, n);
  memcpy(out, field, length);
  out[length] = '\0';
}

static void read_path(tar_header *self, const unsigned char *block) {
  bool is_gnu = memcmp(block + 257, "ustar  ", 7) == 0;
  bool is_posix = !is_gnu && memcmp(block + 257, "ustar", 5) == 0;
  char *end = self->path;
  if (is_posix && block[345]) {
    copy_field(end, block + 345, 155);
    end += strlen(end);
    *end++ = '/';
  }
  copy_field(end, block, 100);
  copy_field(self->link, block + 157, 100);
}

/* The numbers of a header: where each lies, and what it is. */
typedef struct number_field {
  size_t at, n;
  int64_t *number;
} number_field;

static bool read_numbers(const unsigned char *block, const number_field *fields, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!read_number(block + fields[i].at, fields[i].n, fields[i].number)) return false;
  return true;
}

/* Times reach from 1677 to 2262; those beyond are the first and the last. */
static int64_t nanoseconds(int64_t seconds, int64_t fraction) {
  enum { SECOND = 1000000000 };
  if (seconds >= INT64_MAX / SECOND) return INT64_MAX;
  if (seconds <= INT64_MIN / SECOND) return INT64_MIN;
  return seconds * SECOND + fraction;
}

bool tar_header_read(tar_header *self, const unsigned char *block, TF_Status *status) {
  int64_t sum, mode, size, seconds, sparse = 0;
  *self = (tar_header){.type = (char)block[156]};
  const number_field fields[] = {{100, 8, &mode},  {108, 8, &self->owner}, {116, 8, &self->group},
                                 {124, 12, &size}, {136, 12, &seconds},    {483, 12, &sparse}};
  size_t count = self->type == 'S' ? 6 : 5;
  if (!read_number(block + 148, 8, &sum) || !has_sum(block, sum))
    return fail_damaged(status, "the checksum of a header is wrong");
  if (!read_numbers(block, fields, count) || size < 0 || sparse < 0)
    return fail_damaged(status, "a number in a header is malformed");
  self->mode = (uint32_t)(mode & 07777);
  self->mtime_nsec = nanoseconds(seconds, 0);
  self->size = (uint64_t)size;
  self->real_size = (uint64_t)sparse;
  self->is_extended = self->type == 'S' && block[482] != 0;
  read_path(self, block);
  return true;
}

/* Extended headers -------------------------------------------------------------------------- */

void tar_extension_fini(tar_extension *self) {
  free(self->path);
  free(self->link);
  *self = (tar_extension){.path = NULL};
}

static bool take_text(char **place, const char *value, TF_Status *status) {
  char *copy = strdup(value);
  if (!copy) return fail_no_memory(status);
  free(*place);
  *place = copy;
  return true;
}

static bool take_number(uint64_t *number, bool *has, const char *value) {
  char *end;
  *number = strtoull(value, &end, 10);
  *has = end > value && *end == '\0' && *number <= INT64_MAX;
  return *has;
}

/* Seconds with a fraction. */
static bool take_time(tar_extension *self, const char *value) {
  char *end;
  int64_t seconds = strtoll(value, &end, 10), fraction = 0, unit = 100000000;
  if (end == value) return false;
  if (*end == '.')
    for (end++; *end >= '0' && *end <= '9'; end++, unit /= 10)
      fraction += (*end - '0') * unit;
  self->mtime_nsec = nanoseconds(seconds, *value == '-' ? -fraction : fraction);
  return self->has_mtime = *end == '\0';
}

static bool take_record(tar_extension *self, const char *key, const char *value,
                        TF_Status *status) {
  bool fine = true, has;
  if (strcmp(key, "path") == 0 || strcmp(key, "GNU.sparse.name") == 0)
    return take_text(&self->path, value, status);
  if (strcmp(key, "linkpath") == 0) return take_text(&self->link, value, status);
  if (strcmp(key, "size") == 0)
    fine = take_number(&self->size, &self->has_size, value);
  else if (strcmp(key, "uid") == 0)
    fine = take_number(&self->owner, &self->has_owner, value);
  else if (strcmp(key, "gid") == 0)
    fine = take_number(&self->group, &self->has_group, value);
  else if (strcmp(key, "mtime") == 0)
    fine = take_time(self, value);
  else if (strcmp(key, "GNU.sparse.realsize") == 0 || strcmp(key, "GNU.sparse.size") == 0)
    fine = take_number(&self->real_size, &has, value);
  if (strncmp(key, "GNU.sparse.", 11) == 0) self->is_sparse = true;
  return fine || fail_damaged(status, "a number in an extended header is malformed");
}

/* Records are "LENGTH KEY=VALUE\n", where LENGTH counts all of it. */
bool tar_extension_take(tar_extension *self, char *text, size_t length, TF_Status *status) {
  for (size_t at = 0; at < length && text[at];) {
    char *end;
    unsigned long long n = strtoull(text + at, &end, 10);
    size_t head = (size_t)(end - (text + at));
    char *equals = n <= length - at && head > 0 && head + 2 < n && *end == ' '
                       ? memchr(end, '=', (size_t)n - head)
                       : NULL;
    if (!equals || text[at + n - 1] != '\n')
      return fail_damaged(status, "an extended header is not well formed");
    *equals = '\0';
    text[at + n - 1] = '\0';
    /* A NUL in a name would hide the rest of it. */
    if (strlen(equals + 1) != (size_t)(text + at + n - 1 - (equals + 1)))
      return fail_damaged(status, "an extended header contains a NUL");
    if (!take_record(self, end + 1, equals + 1, status)) return false;
    at += (size_t)n;
  }
  return true;
}
