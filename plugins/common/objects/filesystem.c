#include "filesystem.h"

#include <stdio.h>

#include "../located/located.h"

bool objects_name_parse(const TF_Filesystem *filesystem, const char *path, objects_name *name,
                        TF_Status *status) {
  return objects_name_read(objects_service_of(filesystem)->take_bucket, path, name, status);
}

bool objects_name_parse_file(const TF_Filesystem *filesystem, const char *path, objects_name *name,
                             TF_Status *status) {
  if (!objects_name_parse(filesystem, path, name, status)) return false;
  if (!name->is_directory) return true;
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return false;
}

void objects_locate(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  char path[sizeof name->bucket + sizeof name->key + 16];
  snprintf(path, sizeof path, "%s://%s/%s", objects_of(filesystem)->scheme, name->bucket,
           name->key);
  located_fail(status, path);
}
