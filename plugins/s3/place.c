#include "place.h"

#include <stdio.h>
#include <string.h>

#include "prefix_cache.h"
#include "object.h"

bool s3_place_is_absent(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  static const s3_condition condition = {.if_absent = true};
  s3_object object;
  bool missing = false;
  if (s3_stat_object(filesystem, name, &object, &missing, status))
    s3_condition_fail(&condition, (s3_action){"HeadObject", name}, status);
  else if (missing)
    TF_SetStatus(status, TF_OK, "");
  return missing;
}

/* Keys below it make it a directory, unless an object has the name as well. */
static bool is_directory(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_object object;
  bool missing = false;
  if (!s3_stat_prefix(filesystem, name, status)) return false;
  s3_stat_object(filesystem, name, &object, &missing, status);
  if (missing) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return missing;
}

bool s3_place_may_write_fresh(const TF_Filesystem *filesystem, const s3_name *name,
                              TF_Status *status) {
  s3_prefix_cache_discard(filesystem, name); /* it becomes a file */
  return !remote_number(filesystem, S3_IF_NONE_MATCH) ||
         s3_place_is_absent(filesystem, name, status);
}

bool s3_place_may_write(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  bool looks = remote_number(filesystem, S3_CHECK_NAMES) != 0;
  if (looks && !is_directory(filesystem, name, status) && TF_GetCode(status) == TF_OK &&
      s3_stat_is_below_file(filesystem, name, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
  return TF_GetCode(status) == TF_OK && s3_place_may_write_fresh(filesystem, name, status);
}

bool s3_place_has_parent(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_name parent = *name;
  if (!s3_name_to_parent(&parent) || s3_stat_prefix(filesystem, &parent, status)) return true;
  if (TF_GetCode(status) != TF_OK) return false;
  if (s3_stat_is_below_file(filesystem, name, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
  else if (TF_GetCode(status) == TF_OK)
    TF_SetStatus(status, TF_NOT_FOUND, "the parent directory does not exist; create it first");
  return false;
}
