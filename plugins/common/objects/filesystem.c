#include "filesystem.h"

#include <stdio.h>

#include "../located/located.h"
#include "../remote/loss.h"

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

enum { URI_SIZE = OBJECTS_BUCKET_SIZE + OBJECTS_MOST_KEY + 17 };

static void make_uri(const TF_Filesystem *filesystem, const objects_name *name,
                     char uri[URI_SIZE]) {
  snprintf(uri, URI_SIZE, "%s://%s/%s", objects_of(filesystem)->scheme, name->bucket, name->key);
}

void objects_locate(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  char uri[URI_SIZE];
  make_uri(filesystem, name, uri);
  located_fail(status, uri);
}

void objects_log_loss(const TF_Filesystem *filesystem, const objects_name *name,
                      const TF_Status *status) {
  char uri[URI_SIZE];
  make_uri(filesystem, name, uri);
  remote_log_loss(uri, status);
}
