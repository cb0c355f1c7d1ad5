#include "rename.h"

#include <string.h>

#include "call.h"
#include "stat.h"
#include "text.h"

/* Whether the file is at its new name: an attempt has renamed it whose answer was lost. */
static bool has_arrived(const TF_Filesystem *filesystem, const hdfs_renaming *self) {
  hdfs_status found;
  TF_Status *status = TF_NewStatus();
  bool arrived = self->id > 0 && status && hdfs_call_status(filesystem, self->to, &found, status);
  if (arrived && self->id != HDFS_OWN_FILE) arrived = found.id == self->id;
  if (arrived && self->id == HDFS_OWN_FILE)
    arrived = !hdfs_call_status(filesystem, self->from, &found, status) &&
              TF_GetCode(status) == TF_NOT_FOUND;
  TF_DeleteStatus(status);
  return arrived;
}

/* Whether a failure may be that of a repetition. */
static bool is_open(const hdfs_renaming *self, const hdfs_answer *answer, TF_Code code) {
  return answer->is_untold || (code == TF_NOT_FOUND && self->id != HDFS_OWN_FILE);
}

bool hdfs_rename_name(const TF_Filesystem *filesystem, const hdfs_renaming *self,
                      TF_Status *status) {
  hdfs_text query = {.bytes = NULL};
  hdfs_answer answer = {.http_status = 0};
  hdfs_text_add(&query, self->must_be_new ? "&renameoptions=NONE" : "&renameoptions=OVERWRITE");
  hdfs_text_add(&query, "&destination=");
  hdfs_text_add_encoded(&query, self->to->path, true);
  const hdfs_call call = {.method = "PUT", .op = "RENAME", .query = query.bytes};
  bool good = query.failed ? fail_no_memory(status)
                           : hdfs_call_run(filesystem, self->from, &call, &answer, status);
  if (!good && is_open(self, &answer, TF_GetCode(status)) && has_arrived(filesystem, self)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  }
  hdfs_answer_fini(&answer);
  hdfs_text_fini(&query);
  return good;
}

void hdfs_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                      TF_Status *status) {
  hdfs_place from, to;
  hdfs_status source, target;
  bool there = false;
  if (!hdfs_place_find_own(filesystem, src, &from, status) ||
      !hdfs_place_find_own(filesystem, dst, &to, status))
    return;
  if (!hdfs_name_is_beside(&from.name, &to.name)) {
    fail_with(status, TF_FAILED_PRECONDITION,
              "the paths are of two clusters: copy the file, then remove it");
    return;
  }
  if (!hdfs_stat_name(filesystem, &from.name, &source, status) ||
      !hdfs_stat_maybe(filesystem, &to.name, &target, &there, status))
    return;
  if (source.is_directory || (there && target.is_directory))
    fail_with(status, TF_FAILED_PRECONDITION, "%s is a directory",
              source.is_directory ? "the source" : "the target");
  else if (strcmp(from.name.path, to.name.path) != 0)
    hdfs_rename_name(filesystem,
                     &(hdfs_renaming){.from = &from.name, .to = &to.name, .id = source.id}, status);
}
