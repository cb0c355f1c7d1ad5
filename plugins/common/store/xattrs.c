/* Extended attributes of the namespace user are what users keep in the metadata of objects: user.NAME is the item
 * NAME, in S3 x-amz-meta-NAME. The items that are an object's attributes (mtime, mode and so on) are none of them.
 * A directory keeps them in its marker. Those of the namespace object are an object's properties: object.content_type
 * is its header Content-Type. A directory has none. What sets no properties leaves them as they are.
 *
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
#include "xattr_block.h"

static bool fail(TF_Status *status, const char *form, const char *title, const char *name) {
  char text[400];
  snprintf(text, sizeof text, form, title, name);
  TF_SetStatus(status, TF_UNIMPLEMENTED, text);
  return false;
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

static bool read_properties(const TF_Filesystem *filesystem, const subject *self,
                            objects_headers *properties, TF_Status *status) {
  if (self->name.is_directory) return true;
  bool good = objects_service_of(filesystem)->properties(&self->own, properties);
  if (!good) fail_no_memory(status);
  return good;
}

/* What a subject has of a namespace. */
static bool read_block(const TF_Filesystem *filesystem, const subject *self, const char *space,
                       store_xattr_block *found, TF_Status *status) {
  bool of_users = strcmp(space, STORE_USER) == 0;
  objects_headers items = {.count = 0};
  bool good = (of_users ? read_items : read_properties)(filesystem, self, &items, status);
  if (good && !store_xattr_block_add(found, &items, space)) good = fail_no_memory(status);
  objects_headers_end(&items);
  return good;
}

char *store_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, size_t *size, TF_Status *status) {
  subject self = {.has_no_marker = false};
  store_xattr_block found = {NULL, 0};
  bool good = find(filesystem, directory, path, &self, status) &&
              read_block(filesystem, &self, STORE_OF_OBJECT, &found, status) &&
              read_block(filesystem, &self, STORE_USER, &found, status);
  objects_own_end(&self.own);
  *size = good ? found.size : 0;
  if (*size > 0) return found.bytes;
  free(found.bytes);
  return NULL;
}

/* Setting ---------------------------------------------------------------------------------------- */

/* What a block sets. The items are those of users, behind others that stay; properties has no empty ones. */
typedef struct wanted {
  objects_headers items, properties;
  bool has_properties;
} wanted;

static bool add_item(const objects_service *service, const store_xattr *from,
                     objects_headers *items, TF_Status *status) {
  const char *item = store_xattr_within(from, STORE_USER);
  if (!*item || strlen(item) > STORE_MOST_XATTR_NAME || objects_attributes_has(item) ||
      !service->takes_metadata(item))
    return fail(status, "objects of %s do not keep the extended attribute \"%.200s\"",
                service->title, from->name);
  char *text = objects_metadata_encode(from->value, from->length);
  bool good = text && objects_headers_add(items, "%s: %s", item, text);
  if (!good) fail_no_memory(status);
  free(text);
  return good;
}

/* Whether it can be the value of a header. */
static bool is_header(const store_xattr *from) {
  if (from->length > OBJECTS_MOST_PROPERTY) return false;
  for (uint32_t i = 0; i < from->length; i++)
    if (from->value[i] < ' ' || from->value[i] > '~') return false;
  return from->length == 0 || (from->value[0] != ' ' && from->value[from->length - 1] != ' ');
}

static bool add_property(const char *name, const store_xattr *from, objects_headers *properties,
                         TF_Status *status) {
  if (!is_header(from)) {
    TF_SetStatus(
        status, TF_UNIMPLEMENTED,
        "the value of a header has at most 2000 characters, which are printable ASCII, and "
        "no space at its ends");
    return false;
  }
  return from->length == 0 ||
         objects_headers_add(properties, "%s: %.*s", name, (int)from->length, from->value) ||
         fail_no_memory(status);
}

static bool add_all(const objects_service *service, const subject *self,
                    const store_xattr_block *block, wanted *to, TF_Status *status) {
  size_t total = 0;
  store_xattr each;
  for (size_t at = 0; store_xattr_next(block->bytes, block->size, &at, &each);) {
    const char *property = store_xattr_within(&each, STORE_OF_OBJECT);
    if (!self->name.is_directory && objects_property_has(property)) {
      to->has_properties = true;
      if (!add_property(property, &each, &to->properties, status)) return false;
    } else {
      if (!add_item(service, &each, &to->items, status)) return false;
      total += strlen(to->items.lines[to->items.count - 1]) - 2;
    }
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

static bool change(const TF_Filesystem *filesystem, const subject *self, const wanted *to,
                   TF_Status *status) {
  const objects_attributes same = {.known = 0};
  const objects_service *service = objects_service_of(filesystem);
  const objects_change made = {.name = &self->name,
                               .object = &self->object,
                               .own = &self->own,
                               .attributes = &same,
                               .metadata = &to->items,
                               .properties = to->has_properties ? &to->properties : NULL};
  if (store_copy_is_large(filesystem, self->object.length))
    return fail(status, "the metadata of an object of %s that is larger than option %s is fixed",
                service->title, "copy_bytes");
  return service->set_attributes(filesystem, &made, status);
}

/* Whether the subject has what is wanted, of the namespaces that are in the block. */
static bool is_same(const TF_Filesystem *filesystem, const subject *self,
                    const store_xattr_block *block, TF_Status *status) {
  store_xattr first = {.name = ""};
  store_xattr_block old = {NULL, 0};
  size_t at = 0;
  store_xattr_next(block->bytes, block->size, &at, &first);
  bool good = (*store_xattr_within(&first, STORE_OF_OBJECT) == '\0' ||
               read_block(filesystem, self, STORE_OF_OBJECT, &old, status)) &&
              read_block(filesystem, self, STORE_USER, &old, status);
  bool same = good && old.size == block->size &&
              (old.size == 0 || memcmp(old.bytes, block->bytes, old.size) == 0);
  free(old.bytes);
  return same;
}

static void replace(const TF_Filesystem *filesystem, const subject *self,
                    const store_xattr_block *block, TF_Status *status) {
  wanted to = {.has_properties = false};
  if (is_same(filesystem, self, block, status) || TF_GetCode(status) != TF_OK) return;
  if (self->has_no_marker) {
    fail(status, "a directory of %s without a marker has no metadata%s",
         objects_service_of(filesystem)->title, "");
    return;
  }
  if (read_items(filesystem, self, &to.items, status)) {
    drop_others(&to.items);
    if (keep_time(self, &to.items, status) &&
        add_all(objects_service_of(filesystem), self, block, &to, status))
      change(filesystem, self, &to, status);
  }
  objects_headers_end(&to.items);
  objects_headers_end(&to.properties);
}

void store_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, const char *bytes, size_t size, TF_Status *status) {
  const store_xattr_block block = {(char *)(uintptr_t)bytes, size};
  subject self = {.has_no_marker = false};
  if (find(filesystem, directory, path, &self, status)) {
    store_transaction *transaction = store_transaction_of(filesystem, &self.name);
    if (transaction)
      TF_SetStatus(status, TF_UNIMPLEMENTED,
                   "metadata cannot be set in a transaction; commit first");
    else
      replace(filesystem, &self, &block, status);
    store_transaction_release(filesystem, transaction);
  }
  objects_own_end(&self.own);
}
