#include "directory.h"

#include <stdio.h>
#include <string.h>

#include "bucket.h"
#include "../remote/lock.h"
#include "place.h"
#include "staged.h"
#include "stat.h"

/* Puts a marker at the first bytes of name->prefix, up to a slash. */
static bool put_marker(const TF_Filesystem *filesystem, const objects_name *name, size_t length,
                       TF_Status *status) {
  objects_name marker = *name;
  char tag[OBJECTS_TAG_SIZE];
  if (length > OBJECTS_MOST_KEY) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the directory's key is longer than 1,023 bytes");
    return false;
  }
  snprintf(marker.key, sizeof marker.key, "%.*s", (int)length, name->prefix);
  const objects_new_object empty = {.name = &marker, .content = {.bytes = ""}};
  return objects_service_of(filesystem)->put(filesystem, &empty, tag, status);
}

static void create(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  objects_object object;
  if (store_stat_any(filesystem, name, &object, status)) {
    TF_SetStatus(status, TF_ALREADY_EXISTS,
                 object.is_directory ? "the directory already exists" : "the path is a file");
  } else if (TF_GetCode(status) == TF_NOT_FOUND) {
    TF_SetStatus(status, TF_OK, "");
    if (store_place_has_parent(filesystem, name, status))
      put_marker(filesystem, name, strlen(name->prefix), status);
  }
}

static void create_locked(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status) {
  pthread_mutex_t *taken = remote_lock_take(name->bucket, name->key);
  create(filesystem, name, status);
  remote_lock_give(taken);
}

void store_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  objects_name name;
  if (!objects_name_parse(filesystem, path, &name, status)) return;
  name.is_directory = name.key[0] == '\0';
  if (name.is_directory)
    store_bucket_create(filesystem, &name, status);
  else
    store_staged_or_now(filesystem, &name, store_staged_create_dir, create_locked, status);
}

static bool is_no_file(const TF_Filesystem *filesystem, const objects_name *name,
                       TF_Status *status) {
  objects_object object;
  bool missing = objects_name_is_marker(name);
  if (!missing && store_stat_object(filesystem, name, &object, &missing, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path or a parent of it is a file");
  else if (missing)
    TF_SetStatus(status, TF_OK, "");
  return missing;
}

/* Goes up to a directory that exists, then creates downwards. Never creates the bucket. */
void store_directory_make(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status) {
  objects_name above = *name;
  while (above.key[0] && !store_stat_prefix(filesystem, &above, status)) {
    if (TF_GetCode(status) != TF_OK || !is_no_file(filesystem, &above, status)) return;
    objects_name_to_parent(&above);
  }
  for (size_t n = strlen(above.prefix); name->prefix[n];) {
    n += strcspn(name->prefix + n, "/") + 1;
    if (!put_marker(filesystem, name, n, status)) return;
  }
}

void store_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                  TF_Status *status) {
  objects_name name;
  if (!objects_name_parse(filesystem, path, &name, status)) return;
  if (name.key[0] == '\0') /* a mistyped bucket name must not create a bucket: only mkdir does so */
    store_stat_prefix(filesystem, &name, status);
  else
    store_staged_or_now(filesystem, &name, store_staged_make_dirs, store_directory_make, status);
}
