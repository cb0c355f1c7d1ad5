/* Each attribute is one header, "x-amz-meta-" and a name:
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
#include "attribute_headers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX "x-amz-meta-"
#define DIGITS "0123456789"

enum { VALUE_SIZE = 64, MODE_BITS = 07777, MOST_MODE = 0177777, FRACTION = 9 };
static const uint64_t second = 1000000000, most_seconds = INT64_MAX / 1000000000 - 1,
                      most_id = UINT32_MAX - 1; /* the number beyond it means "unchanged" */

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

static bool read_value(const net_answer *answer, const char *name, char value[VALUE_SIZE]) {
  return net_answer_header(answer, name, value, VALUE_SIZE) && strlen(value) < VALUE_SIZE - 1;
}

void s3_attributes_read(const net_answer *answer, s3_attributes *attributes) {
  char value[VALUE_SIZE];
  uint64_t number = 0;
  *attributes = (s3_attributes){0};
#define READ(name, parse, type, member, bit)                                                       \
  if (read_value(answer, PREFIX name, value) && parse(value, &number)) {                           \
    attributes->member = (type)number;                                                             \
    attributes->known |= bit;                                                                      \
  }
  READ("mtime", parse_time, int64_t, mtime_nsec, MODFS_ATTRIBUTE_MTIME)
  READ("atime", parse_time, int64_t, atime_nsec, MODFS_ATTRIBUTE_ATIME)
  READ("mode", parse_mode, uint32_t, mode, MODFS_ATTRIBUTE_MODE)
  READ("uid", parse_id, uint64_t, owner, MODFS_ATTRIBUTE_OWNER)
  READ("gid", parse_id, uint64_t, group, MODFS_ATTRIBUTE_GROUP)
#undef READ
}

/* Writing ------------------------------------------------------------------------------------ */

static bool add_number(s3_headers *headers, const char *name, uint64_t number) {
  s3_headers_drop(headers, name);
  return s3_headers_add(headers, "%s: %" PRIu64, name, number);
}

static bool add_time(s3_headers *headers, const char *name, int64_t nanoseconds) {
  uint64_t time = (uint64_t)nanoseconds;
  if (time % second == 0) return add_number(headers, name, time / second);
  s3_headers_drop(headers, name);
  return s3_headers_add(headers, "%s: %" PRIu64 ".%09" PRIu64, name, time / second, time % second);
}

bool s3_attributes_write(const s3_attributes *attributes, s3_headers *headers) {
  const uint64_t known = attributes->known;
#define WRITES(bit, written) (!(known & (bit)) || (written))
  return WRITES(MODFS_ATTRIBUTE_MTIME, add_time(headers, PREFIX "mtime", attributes->mtime_nsec)) &&
         WRITES(MODFS_ATTRIBUTE_ATIME, add_time(headers, PREFIX "atime", attributes->atime_nsec)) &&
         WRITES(MODFS_ATTRIBUTE_MODE,
                add_number(headers, PREFIX "mode", S_IFREG | attributes->mode)) &&
         WRITES(MODFS_ATTRIBUTE_OWNER, add_number(headers, PREFIX "uid", attributes->owner)) &&
         WRITES(MODFS_ATTRIBUTE_GROUP, add_number(headers, PREFIX "gid", attributes->group));
#undef WRITES
}

/* Setting ------------------------------------------------------------------------------------ */

void s3_attributes_merge(s3_attributes *attributes, const s3_attributes *more) {
  const uint64_t known = more->known;
  if (known & MODFS_ATTRIBUTE_MODE) attributes->mode = more->mode;
  if (known & MODFS_ATTRIBUTE_OWNER) attributes->owner = more->owner;
  if (known & MODFS_ATTRIBUTE_GROUP) attributes->group = more->group;
  if (known & MODFS_ATTRIBUTE_MTIME) attributes->mtime_nsec = more->mtime_nsec;
  if (known & MODFS_ATTRIBUTE_ATIME) attributes->atime_nsec = more->atime_nsec;
  attributes->known |= known;
}

/* Why they cannot be kept; NULL: they can. */
static const char *find_problem(const s3_attributes *wanted) {
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

bool s3_attributes_take(const modfs_attributes *from, uint64_t which, s3_attributes *attributes,
                        TF_Status *status) {
  const s3_attributes wanted = {.known = which,
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
