/* Extended attributes of the namespace user are what users keep in the metadata of objects: user.NAME is the item
 * NAME, in S3 x-amz-meta-NAME. The items that are an object's attributes (mtime, mode and so on) are none of them.
 * A directory keeps them in its marker.
 *
 * In a block each has a uint32_t, the length of its value, then its name with NUL, then the value; sorted by name.
 * Nothing is locked: of two changes at once one fails with ABORTED, or comes after the other. */
#include "xattrs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../objects/filesystem.h"
#include "../objects/metadata.h"
#include "attributes.h"
#include "copy.h"
#include "stat.h"
#include "transaction.h"

enum { USER = sizeof "user." - 1, MOST_NAME = 240 };

static bool fail(TF_Status *status, const char *form, const char *title, const char *name) {
  char text[400];
  snprintf(text, sizeof text, form, title, name);
  TF_SetStatus(status, TF_UNIMPLEMENTED, text);
  return false;
}

/* Blocks ----------------------------------------------------------------------------------------- */

/* Makes "name\0value" of each item; the values begin behind one space. */
static void split(objects_headers *items) {
  for (int i = 0; i < items->count; i++) {
    char *line = items->lines[i];
    line[strcspn(line, ":")] = '\0';
  }
}

static const char *value_of(const char *name) {
  return name + strlen(name) + 2;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_kept(const objects_headers *items, int i) {
  const char *name = items->lines[i];
  return *name && strlen(name) <= MOST_NAME && !objects_attributes_has(name) &&
         (i == 0 || strcmp(items->lines[i - 1], name) != 0);
}

/* The block of the items, which are sorted and split; NULL without memory, or if there are none. */
static char *make_block(objects_headers *items, size_t *size, bool *short_of_memory) {
  size_t room = 0;
  *size = 0;
  split(items);
  qsort(items->lines, (size_t)items->count, sizeof *items->lines, compare);
  for (int i = 0; i < items->count; i++)
    room +=
        sizeof(uint32_t) + USER + strlen(items->lines[i]) + 1 + strlen(value_of(items->lines[i]));
  char *block = malloc(room + 1), *to = block;
  *short_of_memory = !block;
  for (int i = 0; block && i < items->count; i++) {
    const char *name = items->lines[i];
    if (!is_kept(items, i)) continue;
    char *value = to + sizeof(uint32_t) + USER + strlen(name) + 1;
    const uint32_t length = (uint32_t)objects_metadata_decode(value_of(name), value);
    memcpy(to, &length, sizeof length);
    memcpy(to + sizeof length, "user.", USER);
    memcpy(to + sizeof length + USER, name, strlen(name) + 1);
    to = value + length;
  }
  *size = block ? (size_t)(to - block) : 0;
  if (*size > 0) return block;
  free(block);
  return NULL;
}

/* Finding ---------------------------------------------------------------------------------------- */

/* An object, or the marker of a directory, as a head found it. */
typedef struct subject {
  objects_name name;
  bool has_no_marker; /* a directory that is only a prefix, or a bucket */
  objects_object object;
  objects_own own;
} subject;

static bool find_marker(const TF_Filesystem *filesystem, subject *self, TF_Status *status) {
  self->name.is_directory = true;
  if (!store_stat_any(filesystem, &self->name, &self->object, status)) return false;
  size_t n = strlen(self->name.prefix);
  self->has_no_marker = n == 0 || n > OBJECTS_MOST_KEY;
  if (self->has_no_marker) return true;
  memcpy(self->name.key, self->name.prefix, n + 1);
  if (objects_service_of(filesystem)
          ->head(filesystem, &self->name, &self->object, &self->own, status))
    return true;
  self->has_no_marker = TF_GetCode(status) == TF_NOT_FOUND;
  if (self->has_no_marker) TF_SetStatus(status, TF_OK, "");
  return self->has_no_marker;
}

static bool find(const TF_Filesystem *filesystem, const modfs_directory *directory,
                 const char *path, subject *self, TF_Status *status) {
  if (directory) {
    TF_SetStatus(status, TF_UNIMPLEMENTED, "objects are found by their full path");
    return false;
  }
  if (!objects_name_parse(filesystem, path, &self->name, status)) return false;
  if (!self->name.is_directory) {
    if (objects_service_of(filesystem)
            ->head(filesystem, &self->name, &self->object, &self->own, status))
      return true;
    if (TF_GetCode(status) != TF_NOT_FOUND) return false;
    TF_SetStatus(status, TF_OK, "");
    objects_own_end(&self->own);
  }
  return find_marker(filesystem, self, status);
}

static bool read_items(const TF_Filesystem *filesystem, const subject *self, objects_headers *items,
                       TF_Status *status) {
  bool good = self->has_no_marker || objects_service_of(filesystem)->metadata(&self->own, items);
  if (!good) fail_no_memory(status);
  return good;
}

static char *read_block(const TF_Filesystem *filesystem, const subject *self, size_t *size,
                        TF_Status *status) {
  objects_headers items = {.count = 0};
  bool short_of_memory = false;
  char *block = read_items(filesystem, self, &items, status)
                    ? make_block(&items, size, &short_of_memory)
                    : NULL;
  if (short_of_memory) fail_no_memory(status);
  objects_headers_end(&items);
  return block;
}

char *store_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, size_t *size, TF_Status *status) {
  subject self = {.has_no_marker = false};
  *size = 0;
  char *block = find(filesystem, directory, path, &self, status)
                    ? read_block(filesystem, &self, size, status)
                    : NULL;
  objects_own_end(&self.own);
  return block;
}

/* Setting ---------------------------------------------------------------------------------------- */

/* Adds the item of the attribute that `at` is in a block. */
static bool add(const objects_service *service, const char *at, objects_headers *items,
                TF_Status *status) {
  uint32_t n;
  memcpy(&n, at, sizeof n);
  const char *name = at + sizeof n, *value = name + strlen(name) + 1;
  const char *item = strncmp(name, "user.", USER) == 0 ? name + USER : "";
  if (!*item || strlen(item) > MOST_NAME || objects_attributes_has(item) ||
      !service->takes_metadata(item))
    return fail(status, "objects of %s do not keep the extended attribute \"%.200s\"",
                service->title, name);
  char *text = objects_metadata_encode(value, n);
  bool good = text && objects_headers_add(items, "%s: %s", item, text);
  if (!good) fail_no_memory(status);
  free(text);
  return good;
}

/* The items of a block, behind those that stay. */
static bool add_all(const objects_service *service, const char *block, size_t size,
                    objects_headers *items, TF_Status *status) {
  size_t total = 0;
  for (const char *at = block; at && at < block + size;) {
    uint32_t length;
    memcpy(&length, at, sizeof length);
    if (!add(service, at, items, status)) return false;
    total += strlen(items->lines[items->count - 1]) - 2;
    at += sizeof length + strlen(at + sizeof length) + 1 + length;
  }
  char limit[24];
  snprintf(limit, sizeof limit, "%zu", service->most_metadata);
  return total <= service->most_metadata ||
         fail(status, "objects of %s keep at most %s bytes of metadata", service->title, limit);
}

/* Leaves those that are attributes of the object. */
static void drop_others(objects_headers *items) {
  int kept = 0;
  for (int i = 0; i < items->count; i++) {
    char *line = items->lines[i], name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(line, ":"), line);
    if (objects_attributes_has(name))
      items->lines[kept++] = line;
    else
      free(line);
  }
  while (items->count > kept)
    items->lines[--items->count] = NULL;
}

/* Adds the time of the last upload, if it is the object's: a change of metadata is a new one. */
static bool keep_time(const subject *self, objects_headers *items, TF_Status *status) {
  objects_attributes time = {.known = 0};
  char value[OBJECTS_ATTRIBUTE_SIZE];
  bool good = true;
  if (!self->name.is_directory) store_attributes_keep_time(&self->object, &time);
  for (int i = 0; good && i < OBJECTS_ATTRIBUTES; i++) {
    const char *name = objects_attributes_give(&time, i, value);
    good = !name || objects_headers_add(items, "%s: %s", name, value);
  }
  if (!good) fail_no_memory(status);
  return good;
}

static bool change(const TF_Filesystem *filesystem, const subject *self,
                   const objects_headers *items, TF_Status *status) {
  const objects_attributes same = {.known = 0};
  const objects_service *service = objects_service_of(filesystem);
  const objects_change wanted = {.name = &self->name,
                                 .object = &self->object,
                                 .own = &self->own,
                                 .attributes = &same,
                                 .metadata = items};
  if (store_copy_is_large(filesystem, self->object.length))
    return fail(status, "the metadata of an object of %s that is larger than option %s is fixed",
                service->title, "copy_bytes");
  return service->set_attributes(filesystem, &wanted, status);
}

static void replace(const TF_Filesystem *filesystem, const subject *self, const char *block,
                    size_t size, TF_Status *status) {
  size_t before = 0;
  objects_headers items = {.count = 0};
  char *old = read_block(filesystem, self, &before, status);
  bool same = before == size && (size == 0 || memcmp(old, block, size) == 0);
  free(old);
  if (same || TF_GetCode(status) != TF_OK) return;
  if (self->has_no_marker) {
    fail(status, "a directory of %s without a marker has no metadata%s",
         objects_service_of(filesystem)->title, "");
    return;
  }
  if (read_items(filesystem, self, &items, status)) {
    drop_others(&items);
    if (keep_time(self, &items, status) &&
        add_all(objects_service_of(filesystem), block, size, &items, status))
      change(filesystem, self, &items, status);
  }
  objects_headers_end(&items);
}

void store_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, const char *block, size_t size, TF_Status *status) {
  subject self = {.has_no_marker = false};
  if (find(filesystem, directory, path, &self, status)) {
    store_transaction *transaction = store_transaction_of(filesystem, &self.name);
    if (transaction)
      TF_SetStatus(status, TF_UNIMPLEMENTED,
                   "metadata cannot be set in a transaction; commit first");
    else
      replace(filesystem, &self, block, size, status);
    store_transaction_release(filesystem, transaction);
  }
  objects_own_end(&self.own);
}
