/* Each attribute is one item of metadata, a header such as "x-amz-meta-mtime" or a member of a document:
 *
 *   mtime, atime   seconds since 1970, with a fraction of up to nine digits. s3fs reads the digits behind
 *                  the point as a number of nanoseconds, so nine are written, or none.
 *   mode           st_mode with the bits of the type, in decimal as s3fs writes it. rclone writes it in
 *                  octal. The bits of the type tell which of the two it is: no octal st_mode, read as a
 *                  decimal number, has those of an existing type. A number without them is ambiguous, and
 *                  ignored, unless a leading 0 makes it octal.
 *   uid, gid       decimal
 *
 * Values come from strangers. A number has digits alone, no sign and no space, and an upper bound. */
#include "attribute_values.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DIGITS "0123456789"

enum { MODE_BITS = 07777, MOST_MODE = 0177777, FRACTION = 9 };
static const uint64_t second = 1000000000, most_seconds = INT64_MAX / 1000000000 - 1,
                      most_id = UINT32_MAX - 1; /* the number beyond it means "unchanged" */

static const struct {
  const char *name;
  uint64_t bit;
} items[OBJECTS_ATTRIBUTES] = {{"mtime", MODFS_ATTRIBUTE_MTIME},
                               {"atime", MODFS_ATTRIBUTE_ATIME},
                               {"mode", MODFS_ATTRIBUTE_MODE},
                               {"uid", MODFS_ATTRIBUTE_OWNER},
                               {"gid", MODFS_ATTRIBUTE_GROUP}};

/* Reading ------------------------------------------------------------------------------------ */

static bool parse_number(const char *text, int base, uint64_t most, uint64_t *number) {
  size_t n = strspn(text, base == 8 ? "01234567" : DIGITS);
  if (n == 0 || text[n]) return false;
  errno = 0;
  *number = strtoull(text, NULL, base);
  return errno == 0 && *number <= most;
}

/* Digits beyond the ninth are dropped. */
static bool parse_fraction(const char *text, uint64_t *nanoseconds) {
  size_t n = strspn(text, DIGITS);
  *nanoseconds = 0;
  for (size_t i = 0; i < FRACTION; i++)
    *nanoseconds = *nanoseconds * 10 + (i < n ? (uint64_t)(text[i] - '0') : 0);
  return n > 0 && text[n] == '\0';
}

static bool parse_time(char *text, uint64_t *nanoseconds) {
  uint64_t fraction = 0;
  char *point = strchr(text, '.');
  if (point && !parse_fraction(point + 1, &fraction)) return false;
  if (point) *point = '\0';
  if (!parse_number(text, 10, most_seconds, nanoseconds)) return false;
  *nanoseconds = *nanoseconds * second + fraction;
  return true;
}

static bool has_type(uint64_t mode) {
  return S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode) || S_ISFIFO(mode) || S_ISSOCK(mode) ||
         S_ISCHR(mode) || S_ISBLK(mode);
}

static bool parse_mode(const char *text, uint64_t *mode) {
  bool is_octal = text[0] == '0' && text[1];
  bool good = !is_octal && parse_number(text, 10, MOST_MODE, mode) && has_type(*mode);
  if (!good)
    good = parse_number(text, 8, MOST_MODE, mode) &&
           (has_type(*mode) || (is_octal && *mode <= MODE_BITS));
  *mode &= MODE_BITS;
  return good;
}

static bool parse_id(const char *text, uint64_t *id) {
  return parse_number(text, 10, most_id, id);
}

bool objects_attributes_has(const char *name) {
  for (size_t i = 0; i < OBJECTS_ATTRIBUTES; i++)
    if (strcmp(items[i].name, name) == 0) return true;
  return false;
}

/* Takes a value, if it has the name and is well-formed. */
#define TAKE(word, parse, type, member, bit)                                                       \
  if (strcmp(name, word) == 0 && parse(text, &number)) {                                           \
    attributes->member = (type)number;                                                             \
    attributes->known |= (bit);                                                                    \
  }

void objects_attributes_take(objects_attributes *attributes, const char *name, const char *value) {
  char text[OBJECTS_ATTRIBUTE_SIZE];
  uint64_t number = 0;
  if (strlen(value) >= sizeof text - 1) return;
  snprintf(text, sizeof text, "%s", value); /* parse_time writes into it */
  TAKE("mtime", parse_time, int64_t, mtime_nsec, MODFS_ATTRIBUTE_MTIME)
  TAKE("atime", parse_time, int64_t, atime_nsec, MODFS_ATTRIBUTE_ATIME)
  TAKE("mode", parse_mode, uint32_t, mode, MODFS_ATTRIBUTE_MODE)
  TAKE("uid", parse_id, uint64_t, owner, MODFS_ATTRIBUTE_OWNER)
  TAKE("gid", parse_id, uint64_t, group, MODFS_ATTRIBUTE_GROUP)
}

void objects_attributes_read(const net_answer *answer, const char *prefix,
                             objects_attributes *attributes) {
  char header[64], value[OBJECTS_ATTRIBUTE_SIZE];
  *attributes = (objects_attributes){0};
  for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
    snprintf(header, sizeof header, "%s%s", prefix, items[i].name);
    if (net_answer_header(answer, header, value, sizeof value))
      objects_attributes_take(attributes, items[i].name, value);
  }
}

/* Writing ------------------------------------------------------------------------------------ */

static void write_time(int64_t nanoseconds, char value[OBJECTS_ATTRIBUTE_SIZE]) {
  uint64_t time = (uint64_t)nanoseconds;
  int n = snprintf(value, OBJECTS_ATTRIBUTE_SIZE, "%" PRIu64, time / second);
  if (time % second > 0)
    snprintf(value + n, OBJECTS_ATTRIBUTE_SIZE - (size_t)n, ".%09" PRIu64, time % second);
}

static void write_number(uint64_t number, char value[OBJECTS_ATTRIBUTE_SIZE]) {
  snprintf(value, OBJECTS_ATTRIBUTE_SIZE, "%" PRIu64, number);
}

const char *objects_attributes_give(const objects_attributes *attributes, int i,
                                    char value[OBJECTS_ATTRIBUTE_SIZE]) {
  const uint64_t bit = items[i].bit;
  *value = '\0';
  if (!((attributes->known | attributes->ended) & bit)) return NULL;
  if (!(attributes->known & bit)) return items[i].name;
  if (bit == MODFS_ATTRIBUTE_MTIME) write_time(attributes->mtime_nsec, value);
  if (bit == MODFS_ATTRIBUTE_ATIME) write_time(attributes->atime_nsec, value);
  if (bit == MODFS_ATTRIBUTE_MODE) write_number(S_IFREG | attributes->mode, value);
  if (bit == MODFS_ATTRIBUTE_OWNER) write_number(attributes->owner, value);
  if (bit == MODFS_ATTRIBUTE_GROUP) write_number(attributes->group, value);
  return items[i].name;
}

bool objects_attributes_write(const objects_attributes *attributes, const char *prefix,
                              objects_headers *headers) {
  char header[64], value[OBJECTS_ATTRIBUTE_SIZE];
  for (int i = 0; i < OBJECTS_ATTRIBUTES; i++) {
    const char *name = objects_attributes_give(attributes, i, value);
    if (!name) continue;
    snprintf(header, sizeof header, "%s%s", prefix, name);
    objects_headers_drop(headers, header);
    if (!objects_headers_add_text(headers, header, value)) return false;
  }
  return true;
}

/* Setting ------------------------------------------------------------------------------------ */

void objects_attributes_merge(objects_attributes *attributes, const objects_attributes *more) {
  const uint64_t known = more->known;
  if (known & MODFS_ATTRIBUTE_MODE) attributes->mode = more->mode;
  if (known & MODFS_ATTRIBUTE_OWNER) attributes->owner = more->owner;
  if (known & MODFS_ATTRIBUTE_GROUP) attributes->group = more->group;
  if (known & MODFS_ATTRIBUTE_MTIME) attributes->mtime_nsec = more->mtime_nsec;
  if (known & MODFS_ATTRIBUTE_ATIME) attributes->atime_nsec = more->atime_nsec;
  attributes->known |= known;
  attributes->ended |= more->ended;
}

/* Why they cannot be kept; NULL: they can. */
static const char *find_problem(const objects_attributes *wanted) {
  enum {
    EVERY = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP |
            MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME
  };
  const uint64_t known = wanted->known;
  if (known & ~(uint64_t)EVERY) return "objects do not have this attribute";
  if (((known & MODFS_ATTRIBUTE_MTIME) && wanted->mtime_nsec < 0) ||
      ((known & MODFS_ATTRIBUTE_ATIME) && wanted->atime_nsec < 0))
    return "times before 1970 cannot be kept in an object's metadata";
  if (((known & MODFS_ATTRIBUTE_OWNER) && wanted->owner > most_id) ||
      ((known & MODFS_ATTRIBUTE_GROUP) && wanted->group > most_id))
    return "owner and group have at most 32 bits";
  return NULL;
}

bool objects_attributes_from(const modfs_attributes *from, uint64_t which,
                             objects_attributes *attributes, TF_Status *status) {
  const objects_attributes wanted = {.known = which,
                                     .mode = from->mode & MODE_BITS,
                                     .owner = from->owner,
                                     .group = from->group,
                                     .mtime_nsec = from->mtime_nsec,
                                     .atime_nsec = from->atime_nsec};
  const char *problem = find_problem(&wanted);
  if (problem) TF_SetStatus(status, TF_UNIMPLEMENTED, problem);
  if (!problem) *attributes = wanted;
  return !problem;
}
