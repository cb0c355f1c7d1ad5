/* Symbolic links: creating them, and where they lead. */
#include <string.h>

#include "fs.h"
#include "core/base/status.h"

/* The longest target that is believed to be one. */
enum { LONGEST = 64 * 1024 };

void fs_create_link(const modfs_fs *fs, const modfs_directory *in, const char *name,
                    const char *target, TF_Status *status) {
  if (status_takes(status, "the target of a link", target) && !*target)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the target of a link cannot be empty");
  else if (target)
    fs->extension.create_link(&fs->handle, in, name, target, status);
}

void modfs_fs_create_link(const modfs_fs *fs, const char *path, const char *target,
                          TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_create_link(fs, NULL, name, target, status);
  fs_leave(fs, name, "create_link", path, status);
}

static char *copy_target(const modfs_fs *fs, char *target, TF_Status *status) {
  if (!target)
    fs_breach(fs, status, "read_link returned NULL");
  else if (strnlen(target, LONGEST + 1) > LONGEST)
    fs_breach(fs, status, "read_link returned more than %d bytes", (int)LONGEST);
  return fs_take_text(fs, target, status);
}

char *fs_read_link(const modfs_fs *fs, const modfs_directory *in, const char *name,
                   TF_Status *status) {
  char *target = fs->extension.read_link(&fs->handle, in, name, status);
  return status_ok(status) ? copy_target(fs, target, status) : NULL;
}

char *modfs_fs_read_link(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  char *target = name ? fs_read_link(fs, NULL, name, status) : NULL;
  fs_leave(fs, name, "read_link", path, status);
  return target;
}
