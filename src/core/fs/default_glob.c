/* The default of get_matching_paths. */
#include "fs_defaults.h"
#include "core/base/glob.h"
#include "core/base/string_list.h"
#include "core/base/status.h"

int default_get_matching_paths(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                               TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  modfs_string_list found = {0};
  glob_find(fs, glob, false, &found, status);
  if (!status_ok(status)) return -1;
  return string_list_give(&found, fs->plugin->allocate, fs->plugin->free, entries, status);
}
