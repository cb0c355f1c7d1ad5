#include "place.h"

#include <stdio.h>
#include <string.h>

#include "prefix_cache.h"
#include "stat.h"

bool store_place_is_absent(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status) {
  static const objects_condition condition = {.if_absent = true};
  objects_object object;
  bool missing = false;
  if (store_stat_object(filesystem, name, &object, &missing, status))
    objects_condition_fail(
        &condition, (objects_action){objects_service_of(filesystem)->head_operation, name}, status);
  else if (missing)
    TF_SetStatus(status, TF_OK, "");
  return missing;
}

/* Keys below it make it a directory, unless an object has the name as well. */
static bool is_directory(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  objects_object object;
  bool missing = false;
  if (!store_stat_prefix(filesystem, name, status)) return false;
  store_stat_object(filesystem, name, &object, &missing, status);
  if (missing) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return missing;
}

bool store_place_may_write_fresh(const TF_Filesystem *filesystem, const objects_name *name,
                                 TF_Status *status) {
  store_prefix_cache_discard(filesystem, name); /* it becomes a file */
  return !remote_number(filesystem, OBJECTS_IF_NONE_MATCH) ||
         store_place_is_absent(filesystem, name, status);
}

bool store_place_may_write(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status) {
  bool looks = remote_number(filesystem, OBJECTS_CHECK_NAMES) != 0;
  if (looks && !is_directory(filesystem, name, status) && TF_GetCode(status) == TF_OK &&
      store_stat_is_below_file(filesystem, name, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
  return TF_GetCode(status) == TF_OK && store_place_may_write_fresh(filesystem, name, status);
}

bool store_place_has_parent(const TF_Filesystem *filesystem, const objects_name *name,
                            TF_Status *status) {
  objects_name parent = *name;
  if (!objects_name_to_parent(&parent) || store_stat_prefix(filesystem, &parent, status))
    return true;
  if (TF_GetCode(status) != TF_OK) return false;
  if (store_stat_is_below_file(filesystem, name, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
  else if (TF_GetCode(status) == TF_OK)
    TF_SetStatus(status, TF_NOT_FOUND, "the parent directory does not exist; create it first");
  return false;
}
