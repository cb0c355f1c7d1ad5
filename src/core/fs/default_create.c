/* The default of recursively_create_dir: searches upwards for a directory that exists, then creates
 * the missing ones downwards. */
#include <stdlib.h>
#include <string.h>

#include "fs_defaults.h"
#include "core/base/string_list.h"
#include "core/base/status.h"

/* Whether path exists as a directory; a failure when it exists as something else. */
static bool is_there(const modfs_fs *fs, const char *path, TF_Status *status) {
  fs_path_exists(fs, path, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) {
    status_clear(status);
    return false;
  }
  if (status_ok(status) && !fs_is_directory(fs, path, status) && status_ok(status))
    modfs_set_status(status, TF_FAILED_PRECONDITION, "%s is not a directory", path);
  return true;
}

static bool ends_in_slash(const char *path) {
  size_t length = strlen(path);
  return length > 0 && path[length - 1] == '/';
}

/* Lists the missing directories, the deepest first; takes over path. */
static void find_missing(const modfs_fs *fs, char *path, modfs_string_list *missing,
                         TF_Status *status) {
  while (path && *path && !is_there(fs, path, status)) {
    char *parent = modfs_path_dirname(path);
    bool top = !parent || strcmp(parent, path) == 0;
    bool kept = ends_in_slash(path) || string_list_add(missing, path, strlen(path));
    free(path);
    path = top ? NULL : parent;
    if (top) free(parent);
    if (!kept || !parent) status_no_memory(status);
    if (!status_ok(status)) break;
  }
  free(path);
}

void default_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                    TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  modfs_string_list missing = {0};
  char *start = strdup(path);
  if (start)
    find_missing(fs, start, &missing, status);
  else
    status_no_memory(status);
  for (size_t i = missing.count; i > 0 && status_ok(status); i--) {
    fs_create_dir(fs, missing.items[i - 1], status);
    if (TF_GetCode(status) == TF_ALREADY_EXISTS) status_clear(status);
  }
  modfs_string_list_fini(&missing);
}
