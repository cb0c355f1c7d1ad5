/* DELETE answers false for what is missing. After an answer that was lost, false means that the first attempt
 * has deleted it. */
#include "delete.h"

#include <stdlib.h>

#include "call.h"
#include "listing.h"
#include "../common/remote/lock.h"
#include "stat.h"

static bool delete_name(const TF_Filesystem *filesystem, const hdfs_name *name, bool recursive,
                        TF_Status *status) {
  const hdfs_call call = {.method = "DELETE",
                          .op = "DELETE",
                          .query = recursive ? "&recursive=true" : "&recursive=false"};
  hdfs_answer answer = {.http_status = 0};
  bool deleted = false;
  bool good = hdfs_call_run(filesystem, name, &call, &answer, status);
  if (good && !hdfs_json_boolean(answer.json, &deleted))
    good = fail_with(status, TF_DATA_LOSS, "DELETE: the answer is not of the expected kind");
  if (good && !deleted && !answer.is_untold)
    good = fail_with(status, TF_NOT_FOUND, "was deleted meanwhile");
  hdfs_answer_fini(&answer);
  return good;
}

void hdfs_delete_own(const TF_Filesystem *filesystem, const hdfs_name *name) {
  static const hdfs_call call = {
      .method = "DELETE", .op = "DELETE", .query = "&recursive=false", .cleans_up = true};
  TF_Status *status = TF_NewStatus();
  if (status) hdfs_call_plain(filesystem, name, &call, status);
  TF_DeleteStatus(status);
}

static void delete_kind(const TF_Filesystem *filesystem, const char *path, bool is_directory,
                        TF_Status *status) {
  hdfs_place place;
  hdfs_status found;
  if (!hdfs_place_find_own(filesystem, path, &place, status)) return;
  pthread_mutex_t *taken = remote_lock_take("", place.name.path);
  if (hdfs_stat_name(filesystem, &place.name, &found, status)) {
    if (found.is_directory != is_directory)
      fail_with(status, TF_FAILED_PRECONDITION, is_directory ? "is a file" : "is a directory");
    else if (hdfs_name_is_root(&place.name))
      fail_with(status, TF_FAILED_PRECONDITION, "the root cannot be deleted");
    else
      delete_name(filesystem, &place.name, false, status);
  }
  remote_lock_give(taken);
}

void hdfs_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  delete_kind(filesystem, path, false, status);
}

void hdfs_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  delete_kind(filesystem, path, true, status);
}

/* The root stays, so what is in it is deleted one by one. */
static bool empty_root(const TF_Filesystem *filesystem, const char *path, const hdfs_name *root,
                       TF_Status *status) {
  char **names = NULL;
  hdfs_name child;
  int count = hdfs_get_children(filesystem, path, &names, status);
  bool good = count >= 0;
  for (int i = 0; i < count; i++) {
    good = good && hdfs_name_child(root, names[i], &child, status) &&
           delete_name(filesystem, &child, true, status);
    free(names[i]);
  }
  if (count >= 0) free(names);
  return good;
}

void hdfs_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                             uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                             TF_Status *status) {
  hdfs_place place;
  hdfs_status found;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  if (!hdfs_place_find_own(filesystem, path, &place, status) ||
      !hdfs_stat_name(filesystem, &place.name, &found, status))
    return;
  bool good = hdfs_name_is_root(&place.name) ? empty_root(filesystem, path, &place.name, status)
                                             : delete_name(filesystem, &place.name, true, status);
  if (good) *undeleted_dirs = 0;
}
