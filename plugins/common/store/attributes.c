/* Attributes are kept in the metadata of an object, and set there by the service; in a store that can only copy
 * an object to do so, a larger one is copied in parts.
 *
 * Nothing is locked. Of two changes at once one wins as a whole, or fails with ABORTED. */
#include "attributes.h"

#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "stat.h"
#include "transaction.h"
#include "upload.h"

/* Reading ------------------------------------------------------------------------------------ */

void store_attributes_give(const objects_object *object, modfs_attributes *attributes) {
  const objects_attributes *kept = &object->attributes;
  const modfs_attributes all = {.struct_size = attributes->struct_size,
                                .kind =
                                    object->is_directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE,
                                .mode = kept->mode,
                                .owner = kept->owner,
                                .group = kept->group,
                                .length = (int64_t)object->length,
                                .mtime_nsec = objects_object_mtime(object),
                                .atime_nsec = kept->atime_nsec,
                                .known = kept->known | MODFS_ATTRIBUTE_MTIME};
  size_t size = attributes->struct_size;
  memcpy(attributes, &all, size < sizeof all ? size : sizeof all);
}

void store_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                 TF_Status *status) {
  objects_name name;
  objects_object object;
  if (objects_name_parse(filesystem, path, &name, status) &&
      store_stat_any(filesystem, &name, &object, status))
    store_attributes_give(&object, attributes);
}

/* Setting ------------------------------------------------------------------------------------ */

static bool copy_in_parts(const TF_Filesystem *filesystem, const objects_change *change,
                          objects_own *own, TF_Status *status) {
  static const objects_condition none = {0};
  store_upload *upload = store_upload_new(filesystem, change->name, &none, status);
  if (!upload) return false;
  store_upload_take_own(upload, own);
  store_upload_set_source(upload, change->name, change->object);
  store_upload_set_attributes(upload, change->attributes);
  bool good = store_upload_publish(upload, status);
  store_upload_free(upload);
  return good;
}

/* Says what the path is, if it is no object. */
static void refuse(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  objects_name directory = *name;
  objects_object object;
  directory.is_directory = true;
  TF_SetStatus(status, TF_OK, "");
  char text[80];
  if (!store_stat_any(filesystem, &directory, &object, status)) return;
  snprintf(text, sizeof text, "a directory of %s has no attributes",
           objects_service_of(filesystem)->title);
  TF_SetStatus(status, TF_UNIMPLEMENTED, text);
}

void store_attributes_keep_time(const objects_object *object, objects_attributes *attributes) {
  uint64_t all = attributes->known | attributes->ended | object->attributes.known;
  if (all & MODFS_ATTRIBUTE_MTIME || object->modified <= 0) return;
  attributes->known |= MODFS_ATTRIBUTE_MTIME;
  attributes->mtime_nsec = objects_object_mtime(object);
}

bool store_attributes_replace(const TF_Filesystem *filesystem, const objects_name *name,
                              const objects_attributes *attributes, TF_Status *status) {
  const objects_service *service = objects_service_of(filesystem);
  objects_object object;
  objects_own own = {0};
  objects_attributes all = *attributes;
  const objects_change change = {
      .name = name, .object = &object, .own = &own, .attributes = &all};
  bool good = service->head(filesystem, name, &object, &own, status);
  if (good) store_attributes_keep_time(&object, &all);
  if (good && store_copy_is_large(filesystem, object.length))
    good = copy_in_parts(filesystem, &change, &own, status);
  else if (good)
    good = service->set_attributes(filesystem, &change, status);
  else if (TF_GetCode(status) == TF_NOT_FOUND)
    refuse(filesystem, name, status);
  objects_own_end(&own);
  return good;
}

static void set(const TF_Filesystem *filesystem, const objects_name *name,
                const objects_attributes *attributes, TF_Status *status) {
  store_transaction *transaction = store_transaction_of(filesystem, name);
  if (transaction)
    TF_SetStatus(status, TF_UNIMPLEMENTED,
                 "attributes cannot be set in a transaction; commit first");
  else if (name->is_directory)
    refuse(filesystem, name, status);
  else
    store_attributes_replace(filesystem, name, attributes, status);
  store_transaction_release(filesystem, transaction);
}

void store_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                          const char *path, const modfs_attributes *attributes, uint64_t which,
                          TF_Status *status) {
  objects_name name;
  objects_attributes wanted = {0};
  which &= ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK; /* there are no links */
  if (directory)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "objects can only be changed by their full path");
  else if (objects_attributes_from(attributes, which, &wanted, status) &&
           objects_name_parse(filesystem, path, &name, status))
    set(filesystem, &name, &wanted, status);
}
