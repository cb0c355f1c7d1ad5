#include "stat.h"

#include <string.h>

#include "call.h"
#include "identity.h"

/* Finds what is there of the directories above a name; false with a failure, but for a missing one. */
static bool find_above(const TF_Filesystem *filesystem, hdfs_name *above, hdfs_status *found,
                       TF_Status *status) {
  do {
    hdfs_name_to_parent(above);
    TF_SetStatus(status, TF_OK, "");
    if (hdfs_call_status(filesystem, above, found, status)) return true;
  } while (TF_GetCode(status) == TF_NOT_FOUND && !hdfs_name_is_root(above));
  return false;
}

/* A name node reports what is below a file as missing. Sets FAILED_PRECONDITION where it is; whether the
 * parent is a directory. */
static bool blame_parent(const TF_Filesystem *filesystem, const hdfs_name *name,
                         TF_Status *status) {
  hdfs_name above = *name;
  hdfs_name parent = *name;
  hdfs_status found = {.is_directory = true};
  TF_Status *other = TF_NewStatus();
  if (!other) return fail_no_memory(status);
  hdfs_name_to_parent(&parent);
  bool there = hdfs_name_is_root(name) || find_above(filesystem, &above, &found, other);
  if (there && !found.is_directory)
    fail_with(status, TF_FAILED_PRECONDITION, "%s is a file", above.path);
  else if (!there && TF_GetCode(other) != TF_NOT_FOUND)
    TF_SetStatus(status, TF_GetCode(other), TF_Message(other));
  TF_DeleteStatus(other);
  return there && found.is_directory && strcmp(above.path, parent.path) == 0;
}

bool hdfs_stat_name(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                    TF_Status *status) {
  if (hdfs_call_status(filesystem, name, found, status)) return true;
  if (TF_GetCode(status) == TF_NOT_FOUND) blame_parent(filesystem, name, status);
  return false;
}

bool hdfs_stat_maybe(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                     bool *there, TF_Status *status) {
  *there = hdfs_call_status(filesystem, name, found, status);
  if (*there) return true;
  if (TF_GetCode(status) != TF_NOT_FOUND || !blame_parent(filesystem, name, status)) return false;
  TF_SetStatus(status, TF_OK, "");
  return true;
}

bool hdfs_stat_place(const TF_Filesystem *filesystem, const hdfs_place *place, hdfs_status *found,
                     TF_Status *status) {
  if (!place->is_virtual) return hdfs_stat_name(filesystem, &place->name, found, status);
  *found = (hdfs_status){.is_directory = true, .mode = 0555};
  return true;
}

static bool look(const TF_Filesystem *filesystem, const char *path, hdfs_status *found,
                 TF_Status *status) {
  hdfs_place place;
  return hdfs_place_find(filesystem, path, &place, status) &&
         hdfs_stat_place(filesystem, &place, found, status);
}

void hdfs_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  hdfs_status found;
  look(filesystem, path, &found, status);
}

void hdfs_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
               TF_Status *status) {
  hdfs_status found;
  if (look(filesystem, path, &found, status))
    *stats = (TF_FileStatistics){.length = found.length,
                                 .mtime_nsec = found.mtime_ms * 1000000,
                                 .is_directory = found.is_directory};
}

bool hdfs_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  hdfs_status found;
  if (!look(filesystem, path, &found, status)) return false;
  return found.is_directory || fail_with(status, TF_FAILED_PRECONDITION, "is a file");
}

int64_t hdfs_get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  hdfs_status found;
  if (!look(filesystem, path, &found, status)) return -1;
  if (!found.is_directory) return found.length;
  fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
  return -1;
}

void hdfs_stat_attributes(const hdfs_status *found, modfs_attributes *attributes) {
  modfs_attributes all = {.struct_size = attributes->struct_size,
                          .kind = found->is_directory ? MODFS_KIND_DIRECTORY
                                  : found->is_link    ? MODFS_KIND_LINK
                                                      : MODFS_KIND_FILE,
                          .mode = found->mode,
                          .device = 0,
                          .inode = 0,
                          .length = found->is_directory ? 0 : found->length,
                          .mtime_nsec = found->mtime_ms * 1000000,
                          .atime_nsec = found->atime_ms * 1000000,
                          .known = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME};
  if (found->atime_ms > 0) all.known |= MODFS_ATTRIBUTE_ATIME;
  if (hdfs_identity_user_id(found->owner, &all.owner)) all.known |= MODFS_ATTRIBUTE_OWNER;
  if (hdfs_identity_group_id(found->group, &all.group)) all.known |= MODFS_ATTRIBUTE_GROUP;
  size_t size = attributes->struct_size < sizeof all ? attributes->struct_size : sizeof all;
  memcpy(attributes, &all, size);
}

void hdfs_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                TF_Status *status) {
  hdfs_status found;
  if (look(filesystem, path, &found, status)) hdfs_stat_attributes(&found, attributes);
}
