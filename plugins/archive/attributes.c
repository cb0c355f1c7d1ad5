#include "attributes.h"

#include "error.h"
#include "filesystem.h"
#include "writable.h"

void archive_attributes_of(const archive *self, const index_entry *entry,
                           modfs_attributes *attributes) {
  size_t size = attributes->struct_size;
  /* What has no time of its own is as old as the archive. */
  bool dated = entry->known & MODFS_ATTRIBUTE_MTIME;
  *attributes = (modfs_attributes){
      .struct_size = size,
      .kind = entry->kind,
      .mode = entry->mode,
      .owner = entry->owner,
      .group = entry->group,
      .length = entry->kind == MODFS_KIND_DIRECTORY ? 0 : (int64_t)entry->length,
      .mtime_nsec = dated ? entry->mtime_nsec : self->version.mtime_nsec,
      .known = entry->known | MODFS_ATTRIBUTE_MTIME,
  };
}

static bool look(const TF_Filesystem *filesystem, const char *path, bool keeps_last,
                 modfs_attributes *attributes, TF_Status *status) {
  archive_place place = {.entry = NULL};
  if (archive_look_written(filesystem, path, attributes, status)) return true;
  if (!archive_ok(status)) return false;
  bool found = archive_place_init(&place, filesystem, path, keeps_last, status);
  if (found) archive_attributes_of(place.archive, place.entry, attributes);
  archive_place_fini(&place);
  return found;
}

static bool look_through(const TF_Filesystem *filesystem, const char *path,
                         modfs_attributes *attributes, TF_Status *status) {
  *attributes = (modfs_attributes){.struct_size = sizeof *attributes};
  return look(filesystem, path, false, attributes, status);
}

void archive_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                   TF_Status *status) {
  look(filesystem, path, true, attributes, status);
}

void archive_get_attributes(const TF_Filesystem *filesystem, const char *path,
                            modfs_attributes *attributes, TF_Status *status) {
  look(filesystem, path, false, attributes, status);
}

void archive_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  modfs_attributes found;
  look_through(filesystem, path, &found, status);
}

void archive_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                  TF_Status *status) {
  modfs_attributes found;
  if (!look_through(filesystem, path, &found, status)) return;
  *stats = (TF_FileStatistics){.length = found.length,
                               .mtime_nsec = found.mtime_nsec,
                               .is_directory = found.kind == MODFS_KIND_DIRECTORY};
}

bool archive_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  modfs_attributes found;
  if (!look_through(filesystem, path, &found, status)) return false;
  if (found.kind == MODFS_KIND_DIRECTORY) return true;
  return fail_with(status, TF_FAILED_PRECONDITION, "is a file");
}

int64_t archive_get_file_size(const TF_Filesystem *filesystem, const char *path,
                              TF_Status *status) {
  modfs_attributes found;
  if (!look_through(filesystem, path, &found, status)) return -1;
  if (found.kind != MODFS_KIND_DIRECTORY) return found.length;
  fail_with(status, TF_FAILED_PRECONDITION, "is a directory");
  return -1;
}
