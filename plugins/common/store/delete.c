#include "delete.h"

#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "bucket.h"
#include "../remote/lock.h"
#include "stat.h"
#include "../objects/page.h"
#include "prefix_cache.h"
#include "staged.h"

void store_delete_object(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  bool missing = false;
  objects_service_of(filesystem)->remove(filesystem, name, &missing, status);
  store_prefix_cache_discard_around(filesystem, name);
}

/* Where a DELETE also succeeds for an object that does not exist, its existence is checked first. */
static void remove_object(const TF_Filesystem *filesystem, const objects_name *name, bool *missing,
                          TF_Status *status) {
  const objects_service *service = objects_service_of(filesystem);
  objects_object object;
  if (service->deletes_tell || store_stat_object(filesystem, name, &object, missing, status))
    service->remove(filesystem, name, missing, status);
  store_prefix_cache_discard_around(filesystem, name);
}

static void delete_file(const TF_Filesystem *filesystem, const objects_name *name,
                        TF_Status *status) {
  bool missing = false;
  pthread_mutex_t *taken = remote_lock_take(name->bucket, name->key);
  remove_object(filesystem, name, &missing, status);
  remote_lock_give(taken);
  if (missing) store_stat_missing(filesystem, name, status);
}

void store_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  objects_name name;
  if (objects_name_parse_file(filesystem, path, &name, status))
    store_staged_or_now(filesystem, &name, store_staged_delete_file, delete_file, status);
}

/* Directories ------------------------------------------------------------------------------- */

/* There is no key below the name: reports that it is a file or does not exist. */
static void fail_no_directory(const TF_Filesystem *filesystem, const objects_name *name,
                              TF_Status *status) {
  objects_object object;
  objects_name file = *name;
  file.is_directory = false;
  if (store_stat_any(filesystem, &file, &object, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a file");
}

static void delete_marker(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status) {
  objects_name marker = *name;
  snprintf(marker.key, sizeof marker.key, "%.*s", OBJECTS_MOST_KEY, name->prefix);
  store_delete_object(filesystem, &marker, status);
}

/* Lists two keys: the only key of an empty directory is its marker. */
void store_delete_empty(const TF_Filesystem *filesystem, const objects_name *name,
                        TF_Status *status) {
  objects_page page = {.name = name, .prefix = name->prefix, .deep = true, .limit = 2};
  if (!objects_page_fetch(filesystem, &page, status))
    ;
  else if (page.count == 0)
    fail_no_directory(filesystem, name, status);
  else if (page.count > 1 || strcmp(objects_page_key(&page, 0), name->prefix) != 0)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the directory is not empty");
  else
    delete_marker(filesystem, name, status);
  objects_page_end(&page);
}

static void delete_dir(const TF_Filesystem *filesystem, const objects_name *name,
                       TF_Status *status) {
  if (name->key[0] == '\0') {
    store_bucket_delete(filesystem, name, status);
    return;
  }
  pthread_mutex_t *taken = remote_lock_take(name->bucket, name->key);
  store_delete_empty(filesystem, name, status);
  remote_lock_give(taken);
}

void store_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  objects_name name;
  if (objects_name_parse(filesystem, path, &name, status))
    store_staged_or_now(filesystem, &name, store_staged_delete_dir, delete_dir, status);
}

/* Trees ------------------------------------------------------------------------------------- */

/* Returns the number of keys found. */
static uint64_t delete_below(const TF_Filesystem *filesystem, const objects_name *name,
                             store_batch *batch) {
  objects_page page = {.name = name, .prefix = name->prefix, .deep = true};
  uint64_t keys = 0;
  do {
    if (!objects_page_fetch(filesystem, &page, batch->left.status)) {
      batch->left.directories++;
      break;
    }
    keys += page.count;
    for (size_t i = 0; i < page.count; i++)
      store_batch_add(batch, objects_page_key(&page, i));
  } while (page.more);
  objects_page_end(&page);
  store_batch_end(batch);
  return keys;
}

/* No key is below the name: it is a file, does not exist, or is a bucket that is empty now. */
static void delete_itself(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status) {
  if (name->key[0] == '\0')
    store_bucket_delete(filesystem, name, status);
  else
    delete_file(filesystem, name, status);
}

/* Whether an object has this name, whatever is below it. */
static bool is_file(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  objects_object object;
  bool missing = false;
  bool found =
      !name->is_directory && store_stat_object(filesystem, name, &object, &missing, status);
  if (missing) TF_SetStatus(status, TF_OK, "");
  return found;
}

static void delete_tree(const TF_Filesystem *filesystem, const objects_name *name,
                        store_batch *batch) {
  bool file = is_file(filesystem, name, batch->left.status);
  uint64_t keys = 0;
  if (TF_GetCode(batch->left.status) == TF_OK && !file)
    keys = delete_below(filesystem, name, batch);
  bool left = file || keys == 0 || name->key[0] == '\0';
  if (left && TF_GetCode(batch->left.status) == TF_OK)
    delete_itself(filesystem, name, batch->left.status);
  if (TF_GetCode(batch->left.status) != TF_OK && batch->left.files + batch->left.directories == 0)
    batch->left.directories = 1;
}

void store_delete_tree(const TF_Filesystem *filesystem, const objects_name *name, uint64_t *files,
                       uint64_t *directories, TF_Status *status) {
  store_batch batch;
  store_batch_init(&batch, filesystem, name, status);
  delete_tree(filesystem, name, &batch);
  store_prefix_cache_clear(filesystem);
  *files = batch.left.files;
  *directories = batch.left.directories;
}

void store_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                              uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                              TF_Status *status) {
  objects_name name;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  if (!objects_name_parse(filesystem, path, &name, status)) return;
  if (name.is_root) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the root above all buckets cannot be deleted");
    return;
  }
  store_transaction *transaction = store_transaction_of(filesystem, &name);
  if (!transaction)
    store_delete_tree(filesystem, &name, undeleted_files, undeleted_dirs, status);
  else if (store_staged_delete_tree(filesystem, transaction, &name, status))
    *undeleted_dirs = 0;
  store_transaction_release(filesystem, transaction);
}
