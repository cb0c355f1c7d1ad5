/* What fills the slots of the extension that a plugin leaves empty. */
#include "directory.h"
#include "fs_defaults.h"
#include "status.h"

void default_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, uint32_t flags, TF_WritableFile *file,
                         TF_Status *status) {
  if (directory || (flags & (MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE)))
    TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin cannot replace a file in one step");
  else
    fs_of(filesystem)->tables.fs.new_writable_file(filesystem, path, file, status);
}

void extension_settle(modfs_fs *fs) {
  modfs_extension_ops *extension = &fs->extension;
  bool publishes = extension->open_writer && (extension->departures & MODFS_SHOWN_AT_CLOSE);
  fs->anew = publishes ? MODFS_OPEN_ATOMIC : 0;
  fs->tells_links = extension->lstat != NULL;
  if (!extension->lstat) extension->lstat = default_lstat;
  if (!extension->open_writer) extension->open_writer = default_open_writer;
  fs->directories = extension->open_subdirectory ? &directory_by_handle : &directory_by_path;
}
