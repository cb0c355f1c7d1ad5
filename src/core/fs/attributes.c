/* Attributes of an entry itself: from the plugin's extension, or else from stat. */
#include "fs.h"
#include "fs_defaults.h"
#include "core/base/status.h"

enum { MODE_BITS = 07777 };

void fs_check_attributes(const modfs_fs *fs, const char *slot, const modfs_attributes *attributes,
                         TF_Status *status) {
  if (attributes->kind < MODFS_KIND_FILE || attributes->kind > MODFS_KIND_OTHER)
    fs_breach(fs, status, "%s returned the unknown kind %d", slot, attributes->kind);
  else if (attributes->length < 0)
    fs_breach(fs, status, "%s returned a length of %lld", slot, (long long)attributes->length);
  else if (attributes->mode > MODE_BITS)
    fs_breach(fs, status, "%s returned the mode 0%o", slot, attributes->mode);
  else if (attributes->struct_size != sizeof *attributes)
    fs_breach(fs, status, "%s changed struct_size to %zu", slot, attributes->struct_size);
}

void fs_lstat(const modfs_fs *fs, const char *name, modfs_attributes *attributes,
              TF_Status *status) {
  modfs_attributes answer = {.struct_size = sizeof answer};
  fs->extension.lstat(&fs->handle, name, &answer, status);
  if (status_ok(status)) fs_check_attributes(fs, "lstat", &answer, status);
  if (status_ok(status)) *attributes = answer;
}

void default_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                   TF_Status *status) {
  TF_FileStatistics stats = {0, 0, false};
  fs_stat(fs_of(filesystem), path, &stats, status);
  if (!status_ok(status)) return;
  attributes->kind = stats.is_directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE;
  attributes->length = stats.length;
  attributes->mtime_nsec = stats.mtime_nsec;
}

void modfs_fs_lstat(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                    TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_lstat(fs, name, attributes, status);
  fs_leave(fs, name, "lstat", path, status);
}
