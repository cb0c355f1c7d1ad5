/* Open directories: a name relative to one refers to its entry even if the directory's path is
 * renamed meanwhile.
 *
 * Where a plugin has the extension's slots for this, a directory is the plugin's own handle;
 * elsewhere it is its path, and its entries are accessed by longer paths. Callers see no difference
 * but one: directory_is_path. Each of these slots is called here alone, and its results are checked
 * here. Failures are not located, as the callers know the paths of both sides. */
#ifndef MODFS_CORE_DIRECTORY_H
#define MODFS_CORE_DIRECTORY_H

#include <stddef.h>

#include "fs.h"

/* Entries as the slot next_entries packs them: those between next and filled were not returned yet. */
typedef struct directory_block {
  size_t next, filled;
  _Alignas(max_align_t) char bytes[64 * 1024];
} directory_block;

typedef struct fs_directory {
  const modfs_fs *fs;
  const struct directory_ops *ops;
  modfs_directory handle;
  directory_block
      *block; /* NULL until an entry is needed, and at the end; directory_close frees it */
} fs_directory;

typedef struct directory_ops {
  void (*open)(fs_directory *self, const char *path, TF_Status *status);
  void (*open_below)(const fs_directory *parent, const char *name, fs_directory *self,
                     TF_Status *status);
  void (*start)(fs_directory *self, TF_Status *status);
  modfs_directory *(*iteration)(fs_directory *self); /* the handle that is listed, once started */
  void (*close)(fs_directory *self);
  void (*attributes)(const fs_directory *self, const char *name, modfs_attributes *attributes,
                     TF_Status *status);
  modfs_file *(*reader)(const fs_directory *self, const char *name, const char *shown,
                        TF_Status *status);
  void (*create)(const fs_directory *self, const char *name, TF_Status *status);
  void (*remove)(const fs_directory *self, const char *name, bool is_directory, TF_Status *status);
  void (*set)(const fs_directory *self, const char *name, const fs_wanted *wanted,
              TF_Status *status);
  fs_xattrs (*xattrs)(const fs_directory *self, const char *name, TF_Status *status);
  void (*set_xattrs)(const fs_directory *self, const char *name, const fs_xattrs *xattrs,
                     TF_Status *status);
  void (*link)(const fs_directory *self, const char *name, const char *target, TF_Status *status);
  char *(*read_link)(const fs_directory *self, const char *name, TF_Status *status);
} directory_ops;

/* The two forms: by the plugin's handles, and by paths. */
extern const directory_ops directory_by_handle, directory_by_path;

/* Opens the directory at a path, following links. After a failure there is nothing to close. */
void directory_open(const modfs_fs *fs, const char *path, fs_directory *self, TF_Status *status);

/* Opens a directory below another, never through a link; ".." is its parent. */
void directory_open_below(const fs_directory *parent, const char *name, fs_directory *self,
                          TF_Status *status);
void directory_close(fs_directory *self);

/* The slots behind both forms: the handle of the directory at a path, or a translated one. */
void directory_open_name(const modfs_fs *fs, const char *name, modfs_directory *handle,
                         TF_Status *status);
void directory_open_handle(const modfs_fs *fs, const char *path, modfs_directory *handle,
                           TF_Status *status);
void directory_close_handle(const modfs_fs *fs, modfs_directory *handle);

/* Fills a block by the slot next_entries; returns how many bytes are filled, 0 at the end and on
 * failure. The last one is a NUL, and none is a slash. */
size_t directory_fill(const modfs_fs *fs, const modfs_directory *handle, char *block, size_t size,
                      TF_Status *status);
/* Checks the first entry of the rest of a block; returns how many bytes it takes, 0 on failure. */
size_t directory_unpack(const modfs_fs *fs, char *packed, size_t size, modfs_entry *entry,
                        TF_Status *status);

/* Whether the directories of this filesystem are accessed by paths. */
bool directory_is_path(const modfs_fs *fs);

/* Starts the listing, once for each opened directory; an entry is valid until the next call. */
void directory_start(fs_directory *self, TF_Status *status);
bool directory_next(fs_directory *self, modfs_entry *entry, TF_Status *status);

/* The attributes of an entry itself, or of the directory where name is "". */
void directory_attributes(const fs_directory *self, const char *name, modfs_attributes *attributes,
                          TF_Status *status);

/* The kind of an entry; UNKNOWN for one that is no directory when the rest cannot be determined. */
int directory_kind(const fs_directory *self, const char *name, TF_Status *status);

/* Device and inode; both 0 where there are none, or where finding out would cost a call by path. */
void directory_identity(const fs_directory *self, uint64_t *device, uint64_t *inode,
                        TF_Status *status);

/* shown: the path of the entry, for messages. */
modfs_file *directory_reader(const fs_directory *self, const char *name, const char *shown,
                             TF_Status *status);
void directory_create(const fs_directory *self, const char *name, TF_Status *status);
void directory_delete(const fs_directory *self, const char *name, bool is_directory,
                      TF_Status *status);

/* Sets attributes of an entry, or of the directory where name is "". For a link itself
 * MODFS_ATTRIBUTE_OF_LINK has to be among them: by a path it would be followed. */
void directory_set(const fs_directory *self, const char *name, const fs_wanted *wanted,
                   TF_Status *status);

/* Extended attributes of an entry that is no link, or of the directory where name is "". */
fs_xattrs directory_xattrs(const fs_directory *self, const char *name, TF_Status *status);
void directory_set_xattrs(const fs_directory *self, const char *name, const fs_xattrs *xattrs,
                          TF_Status *status);

void directory_link(const fs_directory *self, const char *name, const char *target,
                    TF_Status *status);
/* Owns: the caller frees it. */
char *directory_read_link(const fs_directory *self, const char *name, TF_Status *status);

/* Makes a link the entry name, in place of another link: in one step if temporary, which must be a
 * name that is not taken, is not NULL; for directories by handle only. */
void directory_relink(const fs_directory *self, const char *name, const char *target,
                      const char *temporary, TF_Status *status);

/* Where links cannot be detected, a directory may be a link to one. This deletes it as a file and
 * returns true if nothing exists there afterwards: then it was a link. */
bool directory_delete_link(const fs_directory *self, const char *name, TF_Status *status);

/* Whether one call can copy a file between the two, as between handles of one filesystem. */
bool directory_can_copy(const fs_directory *from, const fs_directory *to);
void directory_copy(const fs_directory *from, const fs_directory *to, const char *name,
                    TF_Status *status);

/* The same where the filesystem's copies_keep: wanted receives the attributes of the source, and
 * loses those that the copy has of them. */
void directory_copy_keeping(const fs_directory *from, const fs_directory *to, const char *name,
                            fs_wanted *wanted, TF_Status *status);

#endif
