#include "copy.h"

#include <string.h>

#include "delete.h"
#include "place.h"
#include "staged.h"
#include "stat.h"
#include "upload.h"

/* A copy by parts does not include the object's metadata, so a head gets it. */
store_upload *store_copy_stage(const TF_Filesystem *filesystem, const objects_name *src,
                               const objects_name *dst, const objects_object *object,
                               TF_Status *status) {
  static const objects_condition none = {0};
  objects_own own = {0};
  objects_object now;
  store_upload *upload = NULL;
  if (objects_service_of(filesystem)->head(filesystem, src, &now, &own, status))
    upload = store_upload_new(filesystem, dst, &none, status);
  if (upload) {
    store_upload_take_own(upload, &own);
    store_upload_set_source(upload, src, object);
    if (!store_upload_stage(upload, status)) {
      store_upload_free(upload);
      upload = NULL;
    }
  }
  objects_own_end(&own);
  return upload;
}

static bool copy_large(const TF_Filesystem *filesystem, const objects_name *src,
                       const objects_name *dst, const objects_object *object, TF_Status *status) {
  store_upload *upload = store_copy_stage(filesystem, src, dst, object, status);
  bool good = upload && store_upload_publish(upload, status);
  store_upload_free(upload);
  return good;
}

bool store_copy_find(const TF_Filesystem *filesystem, const objects_name *src,
                     objects_object *object, TF_Status *status) {
  bool missing = false;
  bool found = store_stat_object(filesystem, src, object, &missing, status);
  if (missing) store_stat_missing(filesystem, src, status);
  return found;
}

bool store_copy_is_large(const TF_Filesystem *filesystem, uint64_t length) {
  return !objects_service_of(filesystem)->copies_any_size &&
         length > (uint64_t)remote_number(filesystem, OBJECTS_COPY_BYTES);
}

bool store_copy(const TF_Filesystem *filesystem, const objects_name *src, const objects_name *dst,
                TF_Status *status) {
  objects_object object;
  if (!store_copy_find(filesystem, src, &object, status)) return false;
  if (objects_name_is_same(src, dst)) return true;
  if (!store_place_may_write(filesystem, dst, status)) return false;
  if (store_copy_is_large(filesystem, object.length))
    return copy_large(filesystem, src, dst, &object, status);
  const objects_copying whole = {.from = src, .to = dst};
  return objects_service_of(filesystem)->copy(filesystem, &whole, status);
}

static bool parse_both(const TF_Filesystem *filesystem, const char *const paths[2],
                       objects_name *from, objects_name *to, TF_Status *status) {
  return objects_name_parse_file(filesystem, paths[0], from, status) &&
         objects_name_parse_file(filesystem, paths[1], to, status);
}

void store_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status) {
  objects_name from, to;
  if (!parse_both(filesystem, (const char *const[]){src, dst}, &from, &to, status)) return;
  store_transaction *transaction = store_transaction_of(filesystem, &to);
  if (transaction)
    store_staged_copy(filesystem, transaction, &from, &to, status);
  else
    store_copy(filesystem, &from, &to, status);
  store_transaction_release(filesystem, transaction);
}

void store_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status) {
  objects_name from, to;
  if (!parse_both(filesystem, (const char *const[]){src, dst}, &from, &to, status)) return;
  store_transaction *left = store_transaction_of(filesystem, &from);
  store_transaction *entered = store_transaction_of(filesystem, &to);
  if (left != entered)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "only one of the two paths is in a transaction");
  else if (left)
    store_staged_rename(filesystem, left, &from, &to, status);
  else if (store_copy(filesystem, &from, &to, status) && !objects_name_is_same(&from, &to))
    store_delete_object(filesystem, &from, status);
  store_transaction_release(filesystem, left);
  store_transaction_release(filesystem, entered);
}
