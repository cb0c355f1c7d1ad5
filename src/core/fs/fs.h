/* Checked calls of a registered filesystem: what the files of this directory share. */
#ifndef MODFS_CORE_FS_H
#define MODFS_CORE_FS_H

#include "core/registry/plugin.h"

/* The filesystem that a handle belongs to. */
static inline modfs_fs *fs_of(const TF_Filesystem *handle) {
  return (modfs_fs *)(size_t)handle;
}

/* Lets the plugin ask whether its calls are to end. */
void fs_let_interrupt(const modfs_fs *fs);

/* Lets the plugin read and write what other plugins store. */
void fs_pass_host(const modfs_fs *fs, const modfs_host *host);

/* Begins a call: sets status to OK and translates path to the plugin's form. NULL and a failure
 * when the path belongs to another filesystem. fs_leave or fs_free_name must follow in any case. */
const char *fs_enter(const modfs_fs *fs, const char *path, TF_Status *status);

/* A URI with the scheme that the plugin of a renamed filesystem serves, and with the registered
 * one. NULL when memory is short. Owns: the caller frees it. */
char *fs_served_uri(const modfs_fs *fs, const char *uri);
char *fs_registered_uri(const modfs_fs *fs, const char *uri);

/* False, with INVALID_ARGUMENT, for the URI of another scheme. */
bool fs_check_scheme(const modfs_fs *fs, const char *path, TF_Status *status);

/* Frees the name that fs_enter returned for path. */
void fs_free_name(const modfs_fs *fs, const char *path, const char *name);

/* Ends a call: frees the name and locates a failure. */
void fs_leave(const modfs_fs *fs, const char *name, const char *operation, const char *path,
              TF_Status *status);

/* The same for an operation from src to dst. */
void fs_leave_two(const modfs_fs *fs, const char *name, const char *operation, const char *src,
                  const char *dst, TF_Status *status);

/* Sets INTERNAL: the plugin broke its contract. */
void fs_breach(const modfs_fs *fs, TF_Status *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A copy of the plugin's text, or NULL on a failure. The plugin's is freed in any case. Owns: the caller, free(). */
char *fs_take_text(const modfs_fs *fs, char *text, TF_Status *status);

/* How deep below its root an operation on a tree goes, and how long a path may get there: deeper
 * nesting is taken for endless. */
enum { FS_DEEPEST = 20 * 1024, FS_LONGEST = 1024 * 1024 };

/* False, with RESOURCE_EXHAUSTED naming the plugin, for a directory beyond that. */
bool fs_check_depth(const modfs_fs *fs, size_t depth, size_t length, TF_Status *status);

/* The checked calls behind the public functions, for translated names: each slot is called by one of
 * them alone, which checks what it returns. status must be OK on entry, and failures are not
 * located. */
bool fs_is_directory(const modfs_fs *fs, const char *name, TF_Status *status);
int64_t fs_file_size(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_path_exists(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_create_dir(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_delete_file(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_delete_dir(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_copy_file(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status);
void fs_set_options(const modfs_fs *fs, const TF_Filesystem_Option *options, int count,
                    TF_Status *status); /* options.c */
/* By path_exists, or by stat where the plugin has none. */
bool fs_exists(const modfs_fs *fs, const char *name, TF_Status *status);
void fs_stat(const modfs_fs *fs, const char *name, TF_FileStatistics *stats, TF_Status *status);
void fs_children(const modfs_fs *fs, const char *name, modfs_string_list *names,
                 TF_Status *status); /* children.c */

/* Like modfs_fs_lstat; and the check of the attributes that any slot returned, which completes the
 * member known. False after setting the failure. */
void fs_lstat(const modfs_fs *fs, const char *name, modfs_attributes *attributes,
              TF_Status *status);
bool fs_check_attributes(const modfs_fs *fs, const char *slot, modfs_attributes *attributes,
                         TF_Status *status);

/* Attributes that are to be set: those whose bits are in which. */
typedef struct fs_wanted {
  modfs_attributes attributes;
  uint64_t which;
} fs_wanted;

/* Of a path or, if in is not NULL, of an entry in a plugin's open directory. */
void fs_set_attributes(const modfs_fs *fs, const modfs_directory *in, const char *name,
                       const fs_wanted *wanted, TF_Status *status);
void fs_create_link(const modfs_fs *fs, const modfs_directory *in, const char *name,
                    const char *target, TF_Status *status);
/* Owns: the caller frees it. */
char *fs_read_link(const modfs_fs *fs, const modfs_directory *in, const char *name,
                   TF_Status *status);

/* Extended attributes in the form of the slot get_xattrs, which was checked. Owns: block is free()d. */
typedef struct fs_xattrs {
  char *block; /* NULL: none */
  size_t size;
} fs_xattrs;

/* As fs_set_attributes; the result is empty after a failure. */
fs_xattrs fs_get_xattrs(const modfs_fs *fs, const modfs_directory *in, const char *name,
                        TF_Status *status);
void fs_set_xattrs(const modfs_fs *fs, const modfs_directory *in, const char *name,
                   const fs_xattrs *xattrs, TF_Status *status);

bool fs_same_xattrs(const fs_xattrs *a, const fs_xattrs *b);

/* Of those of two files, drops the ones that the storage itself has for an object (object.content_type), unless both
 * have such: they can be kept where there is a place for them. */
void fs_pair_xattrs(fs_xattrs *a, fs_xattrs *b);

/* One attribute, as it stands in a block or is to stand there. */
typedef struct fs_xattr {
  const char *name;
  const char *value; /* NULL: it is to be removed */
  uint32_t length;   /* of the value */
} fs_xattr;

/* The attribute at *at, which moves behind it; false at the end. */
bool fs_next_xattr(const fs_xattrs *xattrs, size_t *at, fs_xattr *found);

/* Those of what a path leads to; empty after a failure. */
fs_xattrs fs_path_xattrs(const modfs_fs *fs, const char *path, TF_Status *status);

/* Sets or removes one of them: the others are read and set again, so that of two callers at once one may undo what
 * the other has done. */
void fs_change_xattr(const modfs_fs *fs, const char *path, const fs_xattr *wanted,
                     TF_Status *status);

/* Like modfs_fs_copy_file, where nothing exists at dst. */
void fs_copy_new(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status);

/* Whether two names refer to the same file. */
bool fs_same_file(const modfs_fs *a, const char *name_a, const modfs_fs *b, const char *name_b);

#endif
