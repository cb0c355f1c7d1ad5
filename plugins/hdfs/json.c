#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member that is a number of at least 0. */
static bool take_number(const json_value *object, const char *name, int64_t *number) {
  uint64_t found;
  if (!json_number(json_member(object, name), &found)) return false;
  *number = (int64_t)found;
  return true;
}

static void take_text(const json_value *object, const char *name, char *text, size_t size) {
  const char *found = json_member_text(object, name);
  if (!found || strlen(found) >= size) found = "";
  snprintf(text, size, "%s", found);
}

/* "644", or "1777" with the sticky bit. */
static bool take_mode(const json_value *object, uint32_t *mode) {
  const char *text = json_member_text(object, "permission");
  char *end = NULL;
  if (!text || !*text || strlen(text) > 6 || text[strspn(text, "01234567")]) return false;
  *mode = (uint32_t)strtoul(text, &end, 8) & 07777;
  return true;
}

static bool take_kind(const json_value *object, hdfs_status *found) {
  const char *type = json_member_text(object, "type");
  if (!type) return false;
  found->is_directory = strcmp(type, "DIRECTORY") == 0;
  found->is_link = strcmp(type, "SYMLINK") == 0;
  return found->is_directory || found->is_link || strcmp(type, "FILE") == 0;
}

bool hdfs_json_status(const json_value *object, hdfs_status *found) {
  int64_t id = 0;
  *found = (hdfs_status){.id = 0};
  if (!take_kind(object, found) || !take_number(object, "length", &found->length) ||
      !take_number(object, "modificationTime", &found->mtime_ms) ||
      !take_mode(object, &found->mode) || found->mtime_ms > INT64_MAX / 1000000)
    return false;
  if (take_number(object, "fileId", &id)) found->id = (uint64_t)id;
  if (!take_number(object, "accessTime", &found->atime_ms) || found->atime_ms > INT64_MAX / 1000000)
    found->atime_ms = 0;
  take_number(object, "blockSize", &found->block_bytes);
  take_number(object, "replication", &found->replication);
  take_text(object, "owner", found->owner, sizeof found->owner);
  take_text(object, "group", found->group, sizeof found->group);
  return true;
}

const json_value *hdfs_json_listing(const json_value *root, bool *more) {
  const json_value *page = json_member(root, "DirectoryListing"), *list = NULL;
  *more = false;
  if (page) {
    int64_t left = 0;
    list = json_member(json_member(page, "partialListing"), "FileStatuses");
    if (!take_number(page, "remainingEntries", &left)) return NULL;
    *more = left > 0;
  } else {
    list = json_member(root, "FileStatuses");
  }
  list = json_member(list, "FileStatus");
  return json_is_array(list) ? list : NULL;
}

const char *hdfs_json_name(const json_value *entry) {
  const char *name = json_member_text(entry, "pathSuffix");
  bool fits =
      name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
  return fits ? name : NULL;
}

bool hdfs_json_boolean(const json_value *root, bool *value) {
  *value = false;
  return json_boolean(json_member(root, "boolean"), value);
}
