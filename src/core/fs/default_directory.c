/* Directories of filesystems whose plugins have no handles for them: a directory is its path, as
 * the user wrote it, and its entries are longer paths. */
#include <stdlib.h>
#include <string.h>

#include "directory.h"
#include "file.h"
#include "core/base/path.h"
#include "core/base/status.h"

typedef struct path_directory {
  modfs_directory iteration;
  bool iterates; /* the listing was started */
  char path[];
} path_directory;

static path_directory *path_of(const fs_directory *self) {
  return self->handle.plugin_directory;
}

static void path_open(fs_directory *self, const char *path, TF_Status *status) {
  size_t size = strlen(path) + 1;
  path_directory *made = calloc(1, sizeof *made + size);
  if (!made) {
    status_no_memory(status);
    return;
  }
  memcpy(made->path, path, size);
  self->handle.plugin_directory = made;
}

/* The path of an entry; the directory's own where name is "". Owns: free(). */
static char *entry_path(const fs_directory *self, const char *name, TF_Status *status) {
  const char *stem = path_of(self)->path;
  size_t length = strlen(stem), size = strlen(name) + 1;
  char *path = malloc(length + 1 + size);
  if (!path) {
    status_no_memory(status);
    return NULL;
  }
  memcpy(path, stem, length + 1);
  if (size == 1) return path;
  if (path_wants_slash(stem, length)) path[length++] = '/';
  memcpy(path + length, name, size);
  return path;
}

static void path_open_below(const fs_directory *parent, const char *name, fs_directory *self,
                            TF_Status *status) {
  char *path = entry_path(parent, name, status);
  if (path) path_open(self, path, status);
  free(path);
}

static void path_close(fs_directory *self) {
  path_directory *own = path_of(self);
  if (own->iterates) directory_close_handle(self->fs, &own->iteration);
  free(own);
}

/* Listing -------------------------------------------------------------------- */

static void path_start(fs_directory *self, TF_Status *status) {
  path_directory *own = path_of(self);
  directory_open_handle(self->fs, own->path, &own->iteration, status);
  own->iterates = status_ok(status);
}

static modfs_directory *path_iteration(fs_directory *self) {
  return &path_of(self)->iteration;
}

/* Entries -------------------------------------------------------------------- */

/* The translated path of an entry; leave frees both. */
static const char *enter(const fs_directory *self, const char *name, char **path,
                         TF_Status *status) {
  *path = entry_path(self, name, status);
  return *path ? fs_enter(self->fs, *path, status) : NULL;
}

static void leave(const fs_directory *self, char *path, const char *name) {
  fs_free_name(self->fs, path, name);
  free(path);
}

static void path_attributes(const fs_directory *self, const char *name,
                            modfs_attributes *attributes, TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  if (there) fs_lstat(self->fs, there, attributes, status);
  leave(self, path, there);
}

static modfs_file *path_reader(const fs_directory *self, const char *name, const char *shown,
                               TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  modfs_file *file = there ? file_open_name(self->fs, there, shown, status) : NULL;
  leave(self, path, there);
  return file;
}

typedef void (*path_call)(const modfs_fs *fs, const char *name, TF_Status *status);

static void call(const fs_directory *self, path_call checked, const char *name, TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  if (there) checked(self->fs, there, status);
  leave(self, path, there);
}

static void path_create(const fs_directory *self, const char *name, TF_Status *status) {
  call(self, fs_create_dir, name, status);
}

static void path_remove(const fs_directory *self, const char *name, bool is_directory,
                        TF_Status *status) {
  call(self, is_directory ? fs_delete_dir : fs_delete_file, name, status);
}

static void path_set(const fs_directory *self, const char *name, const fs_wanted *wanted,
                     TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  if (there) fs_set_attributes(self->fs, NULL, there, wanted, status);
  leave(self, path, there);
}

static fs_xattrs path_xattrs(const fs_directory *self, const char *name, TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  fs_xattrs xattrs = {NULL, 0};
  if (there) xattrs = fs_get_xattrs(self->fs, NULL, there, status);
  leave(self, path, there);
  return xattrs;
}

static void path_set_xattrs(const fs_directory *self, const char *name, const fs_xattrs *xattrs,
                            TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  if (there) fs_set_xattrs(self->fs, NULL, there, xattrs, status);
  leave(self, path, there);
}

static void path_link(const fs_directory *self, const char *name, const char *target,
                      TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  if (there) fs_create_link(self->fs, NULL, there, target, status);
  leave(self, path, there);
}

static char *path_read_link(const fs_directory *self, const char *name, TF_Status *status) {
  char *path;
  const char *there = enter(self, name, &path, status);
  char *target = there ? fs_read_link(self->fs, NULL, there, status) : NULL;
  leave(self, path, there);
  return target;
}

const directory_ops directory_by_path = {
    .open = path_open,
    .open_below = path_open_below,
    .start = path_start,
    .iteration = path_iteration,
    .close = path_close,
    .attributes = path_attributes,
    .reader = path_reader,
    .create = path_create,
    .remove = path_remove,
    .set = path_set,
    .xattrs = path_xattrs,
    .set_xattrs = path_set_xattrs,
    .link = path_link,
    .read_link = path_read_link,
};

/* Links that cannot be detected ---------------------------------------------- */

static bool tells_links(const fs_directory *self) {
  return self->ops == &directory_by_handle || self->fs->tells_links;
}

int directory_kind(const fs_directory *self, const char *name, TF_Status *status) {
  modfs_attributes attributes;
  if (tells_links(self)) {
    directory_attributes(self, name, &attributes, status);
    return status_ok(status) ? attributes.kind : MODFS_KIND_OTHER;
  }
  char *path;
  status_clear(status);
  const char *there = enter(self, name, &path, status);
  bool is_directory = there && fs_is_directory(self->fs, there, status);
  leave(self, path, there);
  return is_directory ? MODFS_KIND_DIRECTORY : MODFS_KIND_UNKNOWN;
}

bool directory_delete_link(const fs_directory *self, const char *name, TF_Status *status) {
  if (tells_links(self)) return false;
  directory_delete(self, name, false, status);
  if (!status_ok(status) && TF_GetCode(status) != TF_NOT_FOUND) return false;
  status_clear(status);
  call(self, fs_path_exists, name, status);
  return TF_GetCode(status) == TF_NOT_FOUND;
}
