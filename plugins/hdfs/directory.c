/* MKDIRS creates all that is missing and succeeds on a directory that exists, so what it may do is found out
 * first. Between the two requests others may act: of several callers that create one directory at the same
 * moment each may succeed, or see the parent deleted and have it created anew. */
#include "directory.h"

#include "call.h"
#include "../common/remote/lock.h"
#include "stat.h"

static const hdfs_call mkdirs = {.method = "PUT", .op = "MKDIRS"};
static const hdfs_call mkdirs_private = {
    .method = "PUT", .op = "MKDIRS", .query = "&permission=700"};

/* The answer is {"boolean":true}; false is a failure without a reason. */
static bool make(const TF_Filesystem *filesystem, const hdfs_name *name, const hdfs_call *call,
                 TF_Status *status) {
  hdfs_answer answer = {.http_status = 0};
  bool made = false;
  bool good = hdfs_call_run(filesystem, name, call, &answer, status);
  if (good && !(hdfs_json_boolean(answer.json, &made) && made))
    good = fail_with(status, TF_FAILED_PRECONDITION, "MKDIRS: the name node created nothing");
  hdfs_answer_fini(&answer);
  return good;
}

static void create(const TF_Filesystem *filesystem, const char *path, const hdfs_call *call,
                   TF_Status *status) {
  hdfs_place place;
  hdfs_status found;
  bool there = false;
  if (!hdfs_place_find(filesystem, path, &place, status)) return;
  if (place.is_virtual || place.is_mount) {
    fail_with(status, TF_ALREADY_EXISTS, "the directory already exists");
    return;
  }
  pthread_mutex_t *taken = remote_lock_take("", place.name.path);
  if (hdfs_stat_maybe(filesystem, &place.name, &found, &there, status)) {
    if (there)
      fail_with(status, TF_ALREADY_EXISTS,
                found.is_directory ? "the directory already exists" : "the path is a file");
    else
      make(filesystem, &place.name, call, status);
  }
  remote_lock_give(taken);
}

void hdfs_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  create(filesystem, path, &mkdirs, status);
}

void hdfs_create_private_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  create(filesystem, path, &mkdirs_private, status);
}

void hdfs_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                 TF_Status *status) {
  hdfs_place place;
  if (!hdfs_place_find(filesystem, path, &place, status) || place.is_virtual) return;
  if (make(filesystem, &place.name, &mkdirs, status)) return;
  if (TF_GetCode(status) == TF_ALREADY_EXISTS)
    fail_with(status, TF_FAILED_PRECONDITION, "the path is a file");
}
