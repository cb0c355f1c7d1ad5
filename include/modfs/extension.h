/* What a filesystem plugin may offer beyond TensorFlow's tables.
 *
 * A plugin that has any of it exports modfs_extension; TensorFlow ignores the
 * symbol. Open to everyone. The table grows at its end only: struct_size says how
 * far the plugin's goes, and a slot beyond it, or NULL, is one the plugin has not.
 *
 * Without a slot the host falls back to the tables of filesystem.h, where they
 * can express it; Default: says what is lost, or that the answer is UNIMPLEMENTED.
 * The rules for all slots are those of filesystem.h. */
#ifndef MODFS_EXTENSION_H
#define MODFS_EXTENSION_H

#include "filesystem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an entry is, itself: a link is a link, whatever it leads to. */
typedef enum modfs_kind {
  MODFS_KIND_UNKNOWN = 0, /* ask lstat */
  MODFS_KIND_FILE = 1,
  MODFS_KIND_DIRECTORY = 2,
  MODFS_KIND_LINK = 3,
  MODFS_KIND_OTHER = 4 /* a device, FIFO, socket, … */
} modfs_kind;

/* An open directory. What is named relative to it stays in it, whoever renames the path meanwhile. */
typedef struct modfs_directory {
  void *plugin_directory;
} modfs_directory;

typedef struct modfs_directory_entry {
  const char *name; /* bare: no path, no slash, never "." or ".." */
  int kind;         /* a modfs_kind */
} modfs_directory_entry;

/* Attributes of an entry; the host sets struct_size, a plugin fills no more than that. */
typedef struct modfs_attributes {
  size_t struct_size;
  int kind;       /* a modfs_kind, never UNKNOWN */
  uint32_t mode;  /* permission bits as in chmod; 0 where there are none */
  uint64_t owner; /* user and group number, where there are any */
  uint64_t group;
  uint64_t device; /* device and inode name an entry uniquely; both 0: no such thing here */
  uint64_t inode;
  uint64_t links;     /* names of the same entry; 0: unknown */
  int64_t length;     /* bytes */
  int64_t mtime_nsec; /* nanoseconds since 1970 */
} modfs_attributes;

/* Where a filesystem is something else than filesystem.h describes, for what it stands on. */
enum {
  MODFS_SHOWN_AT_CLOSE = 1,  /* a file that is written is there when it is closed, not before; the
                                host opens all files anew with MODFS_OPEN_ATOMIC, so that an abort
                                leaves what stood there */
  MODFS_PARENTS_IMPLIED = 2, /* a file may be made where no directory is: there is one then */
  MODFS_NAMES_ARE_TEXT = 4,  /* paths are UTF-8, one line, and have at most 1,024 bytes */
  MODFS_COMMITS_IN_STEPS = 8 /* a commit makes its files one after the other */
};

/* How open_writer opens a file: bits. */
enum {
  MODFS_OPEN_ATOMIC =
      1, /* close puts the new content in place in one step that a crash cannot tear,
                             with permissions and owner of what stood there; cleanup without close,
                             or after one that failed, leaves that as it was */
  MODFS_OPEN_DURABLE = 2, /* close returns when content and name are durable */
  MODFS_OPEN_NEW = 4      /* nothing stands there: ALREADY_EXISTS where something does, a link too;
                             storage that would have to ask for that need not */
};

typedef struct modfs_extension_ops {
  size_t struct_size; /* sizeof(modfs_extension_ops) in the plugin */

  /* Who wrote the plugin, its version and where to find it, for people; each may be NULL.
   * Owns: the plugin, for ever. */
  const char *author;
  const char *version;
  const char *url;

  /* Bits of the list above, for `modfs check`, for people and for a host that writes anew; 0: all is
   * as filesystem.h says. */
  uint64_t departures;

  /* How many operations are worth having in flight at once, where the storage answers from afar and
   * most of their time is waiting; 0: no more than there are processors. */
  uint64_t in_flight;

  /* Opens a directory for iteration.
   * Default: get_children, all names at once.
   * Errors: those of get_children.
   * Threads: any at once; the handle is for one thread at a time.
   * Owns: the handle goes to the host, which ends it with close_directory. */
  void (*open_directory)(const TF_Filesystem *filesystem, const char *path,
                         modfs_directory *directory, TF_Status *status);

  /* Fills entry with the next name, in any order; returns false at the end and on failure.
   * Required: open_directory.
   * Threads: one per handle.
   * Owns: the plugin keeps the name until the next call on this handle. */
  bool (*next_entry)(const modfs_directory *directory, modfs_directory_entry *entry,
                     TF_Status *status);

  /* Ends an iteration.
   * Required: open_directory.
   * Threads: last call. */
  void (*close_directory)(modfs_directory *directory);

  /* Fills attributes for the entry itself, not for what a link leads to.
   * Default: stat; links cannot be told from what they lead to.
   * Errors: those of stat.
   * Threads: any at once. */
  void (*lstat)(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                TF_Status *status);

  /* Ends a transaction without a trace, and frees the token.
   * Default: aborting is UNIMPLEMENTED, and the token stays open.
   * Errors: NOT_FOUND for an unknown token.
   * Threads: any at once.
   * Owns: the token is gone afterwards. */
  void (*abort_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                            TF_Status *status);

  /* Makes a directory that nobody but its owner can enter.
   * Default: create_dir.
   * Errors: those of create_dir.
   * Threads: any at once. */
  void (*create_private_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Opens a file to write to, empty. A directory, where it is not NULL, makes path the name of an
   *   entry in it; a link there is never followed. Without both the host calls new_writable_file.
   * Required: open_subdirectory, where a directory is to be given.
   * Default: new_writable_file, also for NEW; ATOMIC and DURABLE are UNIMPLEMENTED.
   * Errors: those of new_writable_file; UNIMPLEMENTED for flags that the storage cannot keep.
   * Threads: any at once.
   * Owns: as new_writable_file; the directory may be closed first. */
  void (*open_writer)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status);

  /* The next seven work on the entry name of an open directory, which is bare as in next_entry and
   * never followed where it is a link. A plugin offers all of them or none; without them trees go by
   * paths, and who renames directories meanwhile can lead them elsewhere. */

  /* Opens a directory below another; the name ".." opens the one above.
   * Required: open_directory, close_directory.
   * Default: open_directory of the longer path.
   * Errors: NOT_FOUND; FAILED_PRECONDITION where name is no directory, or is a link.
   * Threads: any at once, beside next_entry on the parent too.
   * Owns: as open_directory; the parent may be closed first. */
  void (*open_subdirectory)(const modfs_directory *parent, const char *name,
                            modfs_directory *directory, TF_Status *status);

  /* Fills attributes for an entry itself, or for the directory where name is "".
   * Required: open_subdirectory.
   * Default: lstat of the longer path.
   * Errors: those of stat.
   * Threads: any at once. */
  void (*entry_attributes)(const modfs_directory *directory, const char *name,
                           modfs_attributes *attributes, TF_Status *status);

  /* Opens an entry, which is a file, for reading.
   * Required: open_subdirectory.
   * Default: new_random_access_file of the longer path.
   * Errors: those of new_random_access_file; FAILED_PRECONDITION where it is a link.
   * Threads: any at once.
   * Owns: as new_random_access_file. */
  void (*open_reader)(const modfs_directory *directory, const char *name, TF_RandomAccessFile *file,
                      TF_Status *status);

  /* Makes a directory.
   * Required: open_subdirectory.
   * Default: create_dir of the longer path.
   * Errors: those of create_dir; ALREADY_EXISTS whatever stands there.
   * Threads: any at once. */
  void (*create_subdirectory)(const modfs_directory *directory, const char *name,
                              TF_Status *status);

  /* Deletes an entry: an empty directory where is_directory, else anything but a directory.
   * Required: open_subdirectory.
   * Default: delete_dir or delete_file of the longer path.
   * Errors: those of delete_dir and delete_file.
   * Threads: any at once. */
  void (*delete_entry)(const modfs_directory *directory, const char *name, bool is_directory,
                       TF_Status *status);

  /* Renames an entry, also into another directory of the filesystem; replaces a file.
   * Required: open_subdirectory.
   * Default: rename_file of the longer paths.
   * Errors: those of rename_file.
   * Threads: any at once. */
  void (*rename_entry)(const modfs_directory *from, const char *name, const modfs_directory *to,
                       const char *new_name, TF_Status *status);

  /* Copies an entry, which is a file; replaces a file in one step, never follows a link on either side.
   * Required: open_subdirectory.
   * Default: copy_file of the longer paths.
   * Errors: those of copy_file; FAILED_PRECONDITION where either is a link.
   * Threads: any at once. */
  void (*copy_entry)(const modfs_directory *from, const char *name, const modfs_directory *to,
                     const char *new_name, TF_Status *status);
} modfs_extension_ops;

/* The table for a scheme of this plugin, or NULL.
 * Called after init, once for each scheme. Owns: the plugin, for ever. */
TF_CAPI_EXPORT extern const modfs_extension_ops *modfs_extension(const char *scheme);

#ifdef __cplusplus
}
#endif

#endif
