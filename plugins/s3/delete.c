#include "delete.h"

#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "bucket.h"
#include "lock.h"
#include "object.h"
#include "page.h"
#include "staged.h"

/* A DELETE also succeeds for an object that does not exist, so its existence is checked first. */
static void delete_object(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_object object;
  bool missing = false;
  pthread_mutex_t *taken = s3_lock_take(name);
  if (s3_stat_object(filesystem, name, &object, &missing, status))
    s3_object_delete(filesystem, name, status);
  s3_lock_give(taken);
  if (missing) s3_stat_missing(filesystem, name, status);
}

void s3_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  s3_name name;
  if (s3_name_parse_file(path, &name, status))
    s3_staged_or_now(filesystem, &name, s3_staged_delete_file, delete_object, status);
}

/* Directories ------------------------------------------------------------------------------- */

/* There is no key below the name: reports that it is a file or does not exist. */
static void fail_no_directory(const TF_Filesystem *filesystem, const s3_name *name,
                              TF_Status *status) {
  s3_object object;
  s3_name file = *name;
  file.is_directory = false;
  if (s3_stat_any(filesystem, &file, &object, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a file");
}

static void delete_marker(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_name marker = *name;
  snprintf(marker.key, sizeof marker.key, "%.*s", S3_MOST_KEY, name->prefix);
  s3_object_delete(filesystem, &marker, status);
}

/* Lists two keys: the only key of an empty directory is its marker. */
void s3_delete_empty(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_page page = {.name = name, .prefix = name->prefix, .deep = true, .limit = 2};
  if (!s3_page_fetch(filesystem, &page, status))
    ;
  else if (page.count == 0)
    fail_no_directory(filesystem, name, status);
  else if (page.count > 1 || strcmp(s3_page_key(&page, 0), name->prefix) != 0)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the directory is not empty");
  else
    delete_marker(filesystem, name, status);
  s3_page_end(&page);
}

static void delete_dir(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  if (name->key[0] == '\0') {
    s3_bucket_delete(filesystem, name, status);
    return;
  }
  pthread_mutex_t *taken = s3_lock_take(name);
  s3_delete_empty(filesystem, name, status);
  s3_lock_give(taken);
}

void s3_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  s3_name name;
  if (s3_name_parse(path, &name, status))
    s3_staged_or_now(filesystem, &name, s3_staged_delete_dir, delete_dir, status);
}

/* Trees ------------------------------------------------------------------------------------- */

/* Returns the number of keys found. */
static uint64_t delete_below(const TF_Filesystem *filesystem, const s3_name *name,
                             s3_batch *batch) {
  s3_page page = {.name = name, .prefix = name->prefix, .deep = true};
  uint64_t keys = 0;
  do {
    if (!s3_page_fetch(filesystem, &page, batch->status)) {
      batch->directories++;
      break;
    }
    keys += page.count;
    for (size_t i = 0; i < page.count; i++)
      s3_batch_add(batch, s3_page_key(&page, i));
  } while (page.more);
  s3_page_end(&page);
  s3_batch_end(batch);
  return keys;
}

/* No key is below the name: it is a file, does not exist, or is a bucket that is empty now. */
static void delete_itself(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  if (name->key[0] == '\0')
    s3_bucket_delete(filesystem, name, status);
  else
    delete_object(filesystem, name, status);
}

/* Whether an object has this name, whatever is below it. */
static bool is_file(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_object object;
  bool missing = false;
  bool found = !name->is_directory && s3_stat_object(filesystem, name, &object, &missing, status);
  if (missing) TF_SetStatus(status, TF_OK, "");
  return found;
}

static void delete_tree(const TF_Filesystem *filesystem, const s3_name *name, s3_batch *batch) {
  bool file = is_file(filesystem, name, batch->status);
  uint64_t keys = 0;
  if (TF_GetCode(batch->status) == TF_OK && !file) keys = delete_below(filesystem, name, batch);
  bool left = file || keys == 0 || name->key[0] == '\0';
  if (left && TF_GetCode(batch->status) == TF_OK) delete_itself(filesystem, name, batch->status);
  if (TF_GetCode(batch->status) != TF_OK && batch->files + batch->directories == 0)
    batch->directories = 1;
}

void s3_delete_tree(const TF_Filesystem *filesystem, const s3_name *name, uint64_t *files,
                    uint64_t *directories, TF_Status *status) {
  s3_batch batch = {.filesystem = filesystem, .name = name, .status = status};
  delete_tree(filesystem, name, &batch);
  *files = batch.files;
  *directories = batch.directories;
}

void s3_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                           uint64_t *undeleted_files, uint64_t *undeleted_dirs, TF_Status *status) {
  s3_name name;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  if (!s3_name_parse(path, &name, status)) return;
  if (name.bucket[0] == '\0') {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the root above all buckets cannot be deleted");
    return;
  }
  s3_transaction *transaction = s3_transaction_of(filesystem, &name);
  if (!transaction)
    s3_delete_tree(filesystem, &name, undeleted_files, undeleted_dirs, status);
  else if (s3_staged_delete_tree(filesystem, transaction, &name, status))
    *undeleted_dirs = 0;
  s3_transaction_release(filesystem, transaction);
}
