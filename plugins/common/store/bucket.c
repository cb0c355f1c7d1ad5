#include "bucket.h"

#include "stat.h"

/* Servers report success again for a bucket that one already owns, so it is checked first. */
void store_bucket_create(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  if (name->is_root || store_stat_prefix(filesystem, name, status)) {
    TF_SetStatus(status, TF_ALREADY_EXISTS, "the bucket already exists");
  } else if (TF_GetCode(status) == TF_NOT_FOUND) {
    TF_SetStatus(status, TF_OK, "");
    objects_service_of(filesystem)->create_bucket(filesystem, name, status);
  }
}

void store_bucket_delete(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  if (name->is_root)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the root above all buckets cannot be deleted");
  else
    objects_service_of(filesystem)->delete_bucket(filesystem, name, status);
}
