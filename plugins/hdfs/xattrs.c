/* HDFS keeps attributes of the namespaces user, trusted, security, raw and system; a copy keeps those of user.
 * Values travel as hexadecimal digits behind "0x". */
#include "xattrs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "stat.h"
#include "text.h"

enum { NAME_SIZE = 256 };

typedef struct xattr {
  char name[NAME_SIZE];
  const char *value;
  uint32_t length;
} xattr;

static bool is_kept(const char *name) {
  return strncmp(name, "user.", 5) == 0 && name[5] && strlen(name) < NAME_SIZE;
}

static int digit_of(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* Appends the bytes that the digits are; false where they are none. */
static bool add_hex(hdfs_text *block, const char *text) {
  if (strncmp(text, "0x", 2) != 0 || strlen(text) % 2 != 0) return false;
  for (text += 2; *text; text += 2) {
    int high = digit_of(text[0]), low = digit_of(text[1]);
    char byte = (char)(high * 16 + low);
    if (high < 0 || low < 0) return false;
    hdfs_text_add_bytes(block, &byte, 1);
  }
  return true;
}

static int compare(const void *a, const void *b) {
  const json_value *x = *(json_value *const *)a, *y = *(json_value *const *)b;
  return strcmp(json_member_text(x, "name"), json_member_text(y, "name"));
}

/* The kept ones, sorted; NULL without memory. */
static const json_value **sorted(const json_value *list, size_t *count) {
  size_t all = 0;
  for (const json_value *item = json_first(list); item; item = json_next(item))
    all++;
  const json_value **items = malloc((all + 1) * sizeof *items);
  *count = 0;
  for (const json_value *item = json_first(list); items && item; item = json_next(item)) {
    const char *name = json_member_text(item, "name");
    if (name && is_kept(name)) items[(*count)++] = item;
  }
  if (items) qsort(items, *count, sizeof *items, compare);
  return items;
}

static bool add_one(hdfs_text *block, const json_value *item) {
  const char *name = json_member_text(item, "name");
  const char *value = json_member_text(item, "value");
  if (!value) value = "0x";
  uint32_t length = (uint32_t)((strlen(value) - (strlen(value) > 2 ? 2 : strlen(value))) / 2);
  hdfs_text_add_bytes(block, (const char *)&length, sizeof length);
  hdfs_text_add_bytes(block, name, strlen(name) + 1);
  return strcmp(value, "0x") == 0 || add_hex(block, value);
}

static bool read_block(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_text *block,
                       TF_Status *status) {
  static const hdfs_call call = {.method = "GET", .op = "GETXATTRS", .query = "&encoding=hex"};
  hdfs_answer answer = {.http_status = 0};
  size_t count = 0;
  bool good = hdfs_call_run(filesystem, name, &call, &answer, status);
  const json_value *list = json_member(answer.json, "XAttrs");
  if (good && !json_is_array(list))
    good = fail_with(status, TF_DATA_LOSS, "GETXATTRS: the answer holds no attributes");
  const json_value **items = good ? sorted(list, &count) : NULL;
  for (size_t i = 0; good && items && i < count; i++)
    if (!add_one(block, items[i]))
      good = fail_with(status, TF_DATA_LOSS, "GETXATTRS: a value is not hexadecimal");
  if (good && (!items || block->failed)) good = fail_no_memory(status);
  free(items);
  hdfs_answer_fini(&answer);
  return good;
}

static bool find(const TF_Filesystem *filesystem, const modfs_directory *directory,
                 const char *path, hdfs_place *place, TF_Status *status) {
  hdfs_status found;
  if (directory) {
    fail_with(status, TF_UNIMPLEMENTED, "entries are found by their full path");
    return false;
  }
  return hdfs_place_find(filesystem, path, place, status) &&
         hdfs_stat_place(filesystem, place, &found, status);
}

char *hdfs_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, size_t *size, TF_Status *status) {
  hdfs_place place;
  hdfs_text block = {.bytes = NULL};
  *size = 0;
  if (!find(filesystem, directory, path, &place, status) || place.is_virtual) return NULL;
  if (!read_block(filesystem, &place.name, &block, status) || block.length == 0) {
    hdfs_text_fini(&block);
    return NULL;
  }
  *size = block.length;
  return block.bytes;
}

/* Takes the next one of a block; false at the end. */
static bool next(const char **at, const char *end, xattr *found) {
  if (*at == end) return false;
  memcpy(&found->length, *at, sizeof found->length);
  const char *name = *at + sizeof found->length;
  size_t n = strlen(name);
  snprintf(found->name, sizeof found->name, "%s", n < NAME_SIZE ? name : "");
  found->value = name + n + 1;
  *at = found->value + found->length;
  return true;
}

static bool put(const TF_Filesystem *filesystem, const hdfs_name *name, const xattr *one,
                bool exists, TF_Status *status) {
  hdfs_text query = {.bytes = NULL};
  char digits[4];
  hdfs_text_add(&query, exists ? "&flag=REPLACE" : "&flag=CREATE");
  hdfs_text_add(&query, "&xattr.name=");
  hdfs_text_add_encoded(&query, one->name, false);
  hdfs_text_add(&query, one->length > 0 ? "&xattr.value=0x" : "");
  for (uint32_t i = 0; i < one->length; i++) {
    snprintf(digits, sizeof digits, "%02x", (unsigned)(unsigned char)one->value[i]);
    hdfs_text_add(&query, digits);
  }
  const hdfs_call call = {.method = "PUT", .op = "SETXATTR", .query = query.bytes};
  bool good =
      query.failed ? fail_no_memory(status) : hdfs_call_plain(filesystem, name, &call, status);
  hdfs_text_fini(&query);
  return good;
}

static bool drop(const TF_Filesystem *filesystem, const hdfs_name *name, const char *xattr_name,
                 TF_Status *status) {
  hdfs_text query = {.bytes = NULL};
  hdfs_text_add(&query, "&xattr.name=");
  hdfs_text_add_encoded(&query, xattr_name, false);
  const hdfs_call call = {.method = "PUT", .op = "REMOVEXATTR", .query = query.bytes};
  bool good =
      query.failed ? fail_no_memory(status) : hdfs_call_plain(filesystem, name, &call, status);
  hdfs_text_fini(&query);
  return good;
}

/* The one of that name in a block; whether there is one. */
static bool look_up(const char *block, size_t size, const char *name, xattr *found) {
  const char *at = block;
  while (next(&at, block + size, found))
    if (strcmp(found->name, name) == 0) return true;
  return false;
}

static bool drop_others(const TF_Filesystem *filesystem, const hdfs_name *name,
                        const hdfs_text *old, const hdfs_text *wanted, TF_Status *status) {
  xattr one, other;
  const char *at = old->bytes;
  while (old->length > 0 && next(&at, old->bytes + old->length, &one))
    if (!look_up(wanted->bytes, wanted->length, one.name, &other) &&
        !drop(filesystem, name, one.name, status))
      return false;
  return true;
}

static bool put_changed(const TF_Filesystem *filesystem, const hdfs_name *name,
                        const hdfs_text *old, const xattr *one, TF_Status *status) {
  xattr other;
  if (!is_kept(one->name))
    return fail_with(status, TF_UNIMPLEMENTED, "HDFS does not keep the extended attribute \"%s\"",
                     one->name);
  bool exists = old->length > 0 && look_up(old->bytes, old->length, one->name, &other);
  bool same =
      exists && other.length == one->length && memcmp(other.value, one->value, one->length) == 0;
  return same || put(filesystem, name, one, exists, status);
}

static bool replace_all(const TF_Filesystem *filesystem, const hdfs_name *name,
                        const hdfs_text *old, const hdfs_text *wanted, TF_Status *status) {
  xattr one;
  const char *at = wanted->bytes;
  if (!drop_others(filesystem, name, old, wanted, status)) return false;
  while (wanted->length > 0 && next(&at, wanted->bytes + wanted->length, &one))
    if (!put_changed(filesystem, name, old, &one, status)) return false;
  return true;
}

void hdfs_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                     const char *path, const char *block, size_t size, TF_Status *status) {
  hdfs_place place;
  hdfs_text old = {.bytes = NULL};
  const hdfs_text wanted = {.bytes = (char *)(uintptr_t)block, .length = size};
  if (!find(filesystem, directory, path, &place, status)) return;
  if (place.is_virtual)
    fail_with(status, TF_PERMISSION_DENIED, "a directory of the mount table, which is read-only");
  else if (read_block(filesystem, &place.name, &old, status))
    replace_all(filesystem, &place.name, &old, &wanted, status);
  hdfs_text_fini(&old);
}
