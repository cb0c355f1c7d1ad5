/* Open directories: what is named relative to one stays in it, whoever renames its path meanwhile.
 *
 * Where a plugin has the family of the extension, a directory is the plugin's own handle; elsewhere it
 * is its path, and all that is done in it is done by longer paths. Callers see no difference but one:
 * directory_is_path. Each slot of the family is called here alone, and what it brings is checked here.
 * Nothing is cleared before and nothing located after, as the callers know the paths of both sides. */
#ifndef MODFS_CORE_DIRECTORY_H
#define MODFS_CORE_DIRECTORY_H

#include "fs.h"

typedef struct fs_directory {
  const modfs_fs *fs;
  const struct directory_ops *ops;
  modfs_directory handle;
} fs_directory;

typedef struct directory_ops {
  void (*open)(fs_directory *self, const char *path, TF_Status *status);
  void (*open_below)(const fs_directory *parent, const char *name, fs_directory *self,
                     TF_Status *status);
  void (*start)(fs_directory *self, TF_Status *status);
  bool (*next)(fs_directory *self, modfs_directory_entry *entry, TF_Status *status);
  void (*close)(fs_directory *self);
  void (*attributes)(const fs_directory *self, const char *name, modfs_attributes *attributes,
                     TF_Status *status);
  modfs_file *(*reader)(const fs_directory *self, const char *name, const char *shown,
                        TF_Status *status);
  void (*create)(const fs_directory *self, const char *name, TF_Status *status);
  void (*remove)(const fs_directory *self, const char *name, bool is_directory, TF_Status *status);
} directory_ops;

/* By the plugin's handles, and by paths. */
extern const directory_ops directory_by_handle, directory_by_path;

/* Opens the directory at a path, also through links. After a failure there is nothing to close. */
void directory_open(const modfs_fs *fs, const char *path, fs_directory *self, TF_Status *status);

/* Opens one below another, never through a link; ".." is the one above. */
void directory_open_below(const fs_directory *parent, const char *name, fs_directory *self,
                          TF_Status *status);
void directory_close(fs_directory *self);

/* Whether all that is done in directories of this filesystem is done by paths. */
bool directory_is_path(const modfs_fs *fs);

/* Starts listing, once for each directory that was opened; an entry is good until the next call. */
void directory_start(fs_directory *self, TF_Status *status);
bool directory_next(fs_directory *self, modfs_entry *entry, TF_Status *status);

/* Of an entry itself, or of the directory where name is "". */
void directory_attributes(const fs_directory *self, const char *name, modfs_attributes *attributes,
                          TF_Status *status);

/* What an entry is; UNKNOWN is no directory, where more cannot be told. */
int directory_kind(const fs_directory *self, const char *name, TF_Status *status);

/* Device and inode; both 0 where there are none, or they cannot be had for nothing. */
void directory_identity(const fs_directory *self, uint64_t *device, uint64_t *inode,
                        TF_Status *status);

/* shown: the path of the entry, for messages. */
modfs_file *directory_reader(const fs_directory *self, const char *name, const char *shown,
                             TF_Status *status);
void directory_create(const fs_directory *self, const char *name, TF_Status *status);
void directory_delete(const fs_directory *self, const char *name, bool is_directory,
                      TF_Status *status);

/* Where links cannot be told, what looks like a directory may be one: it goes when it lets itself be
 * deleted as a file, and nothing is there afterwards. Whether it went. */
bool directory_delete_link(const fs_directory *self, const char *name, TF_Status *status);

/* Whether one call copies a file from one to the other, as it does between handles of one filesystem. */
bool directory_can_copy(const fs_directory *from, const fs_directory *to);
void directory_copy(const fs_directory *from, const fs_directory *to, const char *name,
                    TF_Status *status);

/* Copies an open file to an entry, which is never followed, in one step once it is whole; by handles.
 * Returns how many bytes went. */
uint64_t directory_write(const fs_directory *self, const char *name, const modfs_file *from,
                         TF_Status *status);

#endif
