/* Optional operations of a filesystem plugin, beyond TensorFlow's tables.
 *
 * A plugin offers them by exporting modfs_extension; TensorFlow ignores the symbol.
 * Any plugin may implement any part of the table. The table only ever grows at its
 * end: struct_size is the size the plugin was compiled with, and a slot that is NULL
 * or lies beyond struct_size is not implemented.
 *
 * For a slot that is not implemented, the host falls back to the tables of
 * filesystem.h where they can express the operation. Default: names the fallback
 * and what is lost with it, or says that the operation fails with UNIMPLEMENTED.
 * The rules for all slots in filesystem.h apply here, too. */
#ifndef MODFS_EXTENSION_H
#define MODFS_EXTENSION_H

#include "filesystem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a directory entry. It describes the entry itself: a symbolic link is a LINK, whatever
 * it points to. */
typedef enum modfs_kind {
  MODFS_KIND_UNKNOWN = 0, /* not known without lstat */
  MODFS_KIND_FILE = 1,
  MODFS_KIND_DIRECTORY = 2,
  MODFS_KIND_LINK = 3,
  MODFS_KIND_OTHER = 4 /* a device, FIFO, socket, … */
} modfs_kind;

/* The least size of a block for next_entries, in bytes: longer names do not exist. */
enum { MODFS_ENTRIES_SIZE = 32 * 1024 };

/* An open directory. Names resolved relative to it stay inside it, even if its path is renamed
 * in the meantime. */
typedef struct modfs_directory {
  void *plugin_directory;
} modfs_directory;

typedef struct modfs_directory_entry {
  const char *name; /* a bare name: no path, no slash, never "." or ".." */
  int kind;         /* a modfs_kind */
} modfs_directory_entry;

/* Attributes that not every storage has: bits for the member known of modfs_attributes, and for the
 * attributes that set_attributes sets. */
enum {
  MODFS_ATTRIBUTE_MODE = 1,
  MODFS_ATTRIBUTE_OWNER = 2,
  MODFS_ATTRIBUTE_GROUP = 4,
  MODFS_ATTRIBUTE_MTIME = 8,
  MODFS_ATTRIBUTE_ATIME = 16,
  MODFS_ATTRIBUTE_OF_LINK = 32, /* for set_attributes: of a link at the path itself */
  MODFS_ATTRIBUTE_LENGTH =
      64 /* for set_writer_attributes: so many bytes follow, and nothing else is
                                   set; UNIMPLEMENTED: that is of no use. After OK the host appends
                                   just as many before close, or gives the file up. It tells the length
                                   only where it knows it, and only to storage that is WRITTEN_AT_ONCE */
};

/* The attributes of an entry, as from lstat(2) or stat(2). The host sets struct_size; the plugin
 * writes no member beyond it. */
typedef struct modfs_attributes {
  size_t struct_size;
  int kind;       /* a modfs_kind, never UNKNOWN */
  uint32_t mode;  /* permission bits as for chmod; 0 if the storage has none */
  uint64_t owner; /* numeric user and group id, if the storage has them */
  uint64_t group;
  uint64_t device; /* device and inode together identify an entry; both 0: not supported */
  uint64_t inode;
  uint64_t links;     /* number of hard links; 0: unknown */
  int64_t length;     /* bytes */
  int64_t mtime_nsec; /* modification time, nanoseconds since 1970-01-01 UTC */
  int64_t atime_nsec; /* access time, likewise */
  uint64_t known;     /* the attributes of the enum above that the entry has; 0 from a plugin that
                         was built without this member: the host then takes members that are not 0,
                         and mode, owner and group beside a device */
} modfs_attributes;

/* Documented deviations from filesystem.h that the underlying storage imposes: bits for the member
 * deviations. */
enum {
  MODFS_SHOWN_AT_CLOSE = 1,   /* a written file becomes visible when it is closed, not before; the
                                host then opens every file to be replaced with MODFS_OPEN_ATOMIC, so
                                that an abort keeps the old content */
  MODFS_PARENTS_IMPLIED = 2,  /* a file can be created in a directory that does not exist; the
                                directory then exists */
  MODFS_NAMES_ARE_TEXT = 4,   /* paths are UTF-8 without newlines, at most 1,024 bytes */
  MODFS_COMMITS_IN_STEPS = 8, /* a commit publishes its files one after the other, not atomically */
  MODFS_WRITTEN_AT_ONCE = 16, /* files that belong together, as in an archive, are written in one
                                 transaction; the host puts each operation on a tree in one */
  MODFS_NAMES_LACK_COLONS = 32 /* no name contains a ":": INVALID_ARGUMENT */
};

/* Flags of open_writer. */
enum {
  MODFS_OPEN_ATOMIC = 1,  /* close replaces the old content in one step that a crash cannot tear,
                             and keeps the permissions and owner of the old file; cleanup without
                             close, or after a failed close, leaves the old file unchanged; what a
                             killed writer leaves is removed by the next one, where the storage can
                             tell that it is dead */
  MODFS_OPEN_DURABLE = 2, /* close returns once content and name are on stable storage */
  MODFS_OPEN_NEW = 4      /* the entry must not exist: ALREADY_EXISTS if it does, even as a link;
                             storage that would need another request to find out may ignore it */
};

/* The room of the storage that a path is on, in bytes. The host sets struct_size; the plugin writes
 * no member beyond it. */
typedef struct modfs_space {
  size_t struct_size;
  uint64_t total;
  uint64_t free;
  uint64_t available; /* of the free bytes, those for users without privileges */
} modfs_space;

/* Whether the user wants what runs to end, such as by Ctrl-C at a prompt. Any thread may ask. */
typedef bool modfs_interrupted(void);

/* Functions of the host for a plugin whose files lie inside files of other plugins, such as members
 * of an archive. Paths are plain paths or URIs of any registered scheme. Any thread may call them;
 * a reader serves any number of threads, a writer one at a time. */
typedef struct modfs_host {
  size_t struct_size; /* sizeof(modfs_host), as the host was compiled; it only grows at its end */

  /* Opens a file for reading; read is like pread(2): fewer than n bytes only at the end, -1 on
   * failure. */
  void *(*open_reader)(const char *path, TF_Status *status);
  int64_t (*read)(void *reader, uint64_t offset, size_t n, char *buffer, TF_Status *status);
  void (*close_reader)(void *reader);

  /* Stores the attributes of what a path leads to; links are followed. Here the plugin sets
   * struct_size, and the host writes no member beyond it. */
  void (*get_attributes)(const char *path, modfs_attributes *attributes, TF_Status *status);

  /* Writes a new file from start to end. close_writer makes it visible if publish is true, in one
   * step where the storage can; otherwise nothing is left of it. Either way the writer is freed. */
  void *(*open_writer)(const char *path, TF_Status *status);
  void (*append)(void *writer, const char *bytes, size_t n, TF_Status *status);
  void (*close_writer)(void *writer, bool publish, TF_Status *status);
} modfs_host;

typedef struct modfs_extension_ops {
  size_t struct_size; /* sizeof(modfs_extension_ops), as the plugin was compiled */

  /* The plugin's author, version and URL, for display; each may be NULL.
   * Owns: the plugin; the strings must remain valid for the life of the process. */
  const char *author;
  const char *version;
  const char *url;

  /* The plugin's deviations: bits of the enum above. `modfs check` and users read them, and the
   * host does when it replaces files. 0: the plugin has no deviations. */
  uint64_t deviations;

  /* The number of operations worth keeping in flight at once, for remote storage, where most of the
   * time is spent waiting; 0: no more than the number of processors, nor than eight; 1: a second one
   * would only wait for the first. */
  uint64_t in_flight;

  /* Opens a directory for iteration.
   * Default: get_children, which returns all names at once.
   * Errors: those of get_children.
   * Threads: any at once; the handle is for one thread at a time.
   * Owns: the host, which releases the handle with close_directory. */
  void (*open_directory)(const TF_Filesystem *filesystem, const char *path,
                         modfs_directory *directory, TF_Status *status);

  /* Stores the next entry, in any order; returns false at the end and on failure.
   * Required: with open_directory.
   * Threads: one per handle.
   * Owns: the plugin; the name remains valid until the next call on this handle. */
  bool (*next_entry)(const modfs_directory *directory, modfs_directory_entry *entry,
                     TF_Status *status);

  /* Closes a directory handle.
   * Required: with open_directory.
   * Threads: last call. */
  void (*close_directory)(modfs_directory *directory);

  /* Stores the attributes of the entry itself; a symbolic link is not followed.
   * Default: stat; links then look like what they point to.
   * Errors: those of stat.
   * Threads: any at once. */
  void (*lstat)(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                TF_Status *status);

  /* Rolls back a transaction and frees its token.
   * Default: UNIMPLEMENTED; the transaction stays open.
   * Errors: NOT_FOUND for an unknown token. After any other failure the transaction is still open.
   * Threads: any at once.
   * Owns: the plugin, which frees the token on success; it is invalid then. */
  void (*abort_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                            TF_Status *status);

  /* Creates a directory that only its owner can access.
   * Default: create_dir.
   * Errors: those of create_dir.
   * Threads: any at once. */
  void (*create_private_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Opens an empty file for writing; if directory is not NULL, path is an entry in it; a link is
   *   never followed. Without directory and flags the host calls new_writable_file instead.
   * Required: a TF_WritableFileOps table; open_subdirectory, if directory is to be supported.
   * Default: new_writable_file, also for NEW; ATOMIC and DURABLE are UNIMPLEMENTED.
   * Errors: those of new_writable_file; UNIMPLEMENTED for a flag the storage cannot honour.
   * Threads: any at once.
   * Owns: as for new_writable_file; the directory may be closed first. */
  void (*open_writer)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status);

  /* The next seven slots operate on an entry of an open directory, like openat(2) and its
   * relatives. The entry is a bare name, as from next_entry, and is never followed if it is a
   * link. A plugin implements all seven or none. Without them tree operations work by path, and
   * a concurrent rename of a directory can lead them outside the tree. */

  /* Opens a subdirectory; the name ".." opens the parent directory.
   * Required: open_directory, next_entry, close_directory.
   * Default: open_directory of the joined path.
   * Errors: NOT_FOUND; FAILED_PRECONDITION if name is not a directory, or is a link.
   * Threads: any at once, even during next_entry on the parent.
   * Owns: as for open_directory; the parent may be closed first. */
  void (*open_subdirectory)(const modfs_directory *parent, const char *name,
                            modfs_directory *directory, TF_Status *status);

  /* Stores the attributes of an entry itself, or of the directory if name is "".
   * Required: with open_subdirectory.
   * Default: lstat of the joined path.
   * Errors: those of stat.
   * Threads: any at once. */
  void (*entry_attributes)(const modfs_directory *directory, const char *name,
                           modfs_attributes *attributes, TF_Status *status);

  /* Opens a file for reading.
   * Required: with open_subdirectory; a TF_RandomAccessFileOps table.
   * Default: new_random_access_file of the joined path.
   * Errors: those of new_random_access_file; FAILED_PRECONDITION if the entry is a link.
   * Threads: any at once.
   * Owns: as for new_random_access_file. */
  void (*open_reader)(const modfs_directory *directory, const char *name, TF_RandomAccessFile *file,
                      TF_Status *status);

  /* Creates a subdirectory.
   * Required: with open_subdirectory.
   * Default: create_dir of the joined path.
   * Errors: those of create_dir; ALREADY_EXISTS if an entry of any kind exists.
   * Threads: any at once. */
  void (*create_subdirectory)(const modfs_directory *directory, const char *name,
                              TF_Status *status);

  /* Deletes an entry: an empty directory if is_directory is true, otherwise any other kind.
   * Required: with open_subdirectory.
   * Default: delete_dir or delete_file of the joined path.
   * Errors: those of delete_dir and delete_file.
   * Threads: any at once. */
  void (*delete_entry)(const modfs_directory *directory, const char *name, bool is_directory,
                       TF_Status *status);

  /* Renames an entry, also into another directory of the same filesystem; replaces an existing
   *   file.
   * Required: with open_subdirectory.
   * Default: rename_file of the joined paths.
   * Errors: those of rename_file.
   * Threads: any at once. */
  void (*rename_entry)(const modfs_directory *from, const char *name, const modfs_directory *to,
                       const char *new_name, TF_Status *status);

  /* Copies a file; replaces an existing file in one step and follows no link on either side.
   * Required: with open_subdirectory.
   * Default: copy_file of the joined paths.
   * Errors: those of copy_file; FAILED_PRECONDITION if either entry is a link.
   * Threads: any at once. */
  void (*copy_entry)(const modfs_directory *from, const char *name, const modfs_directory *to,
                     const char *new_name, TF_Status *status);

  /* Stores the attributes of what a path leads to; links are followed.
   * Default: lstat; for a link stat, without mode, owner, group and access time.
   * Errors: those of stat.
   * Threads: any at once. */
  void (*get_attributes)(const TF_Filesystem *filesystem, const char *path,
                         modfs_attributes *attributes, TF_Status *status);

  /* Sets the attributes whose bits are in which, and no other; follows a link, except with OF_LINK.
   *   If directory is not NULL, path is an entry in it, or "" for the directory itself, and a link
   *   is not followed.
   * Default: UNIMPLEMENTED.
   * Errors: those of stat; UNIMPLEMENTED, with nothing set, for an attribute that the storage does
   *   not have, or cannot set.
   * Threads: any at once. */
  void (*set_attributes)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, const modfs_attributes *attributes, uint64_t which,
                         TF_Status *status);

  /* Creates a symbolic link that holds target, any text but "", as it is; if directory is not NULL,
   *   path is an entry in it. An absolute target begins at the filesystem's root, a relative one at
   *   the link's directory; neither is a URI, and neither need exist.
   * Default: UNIMPLEMENTED.
   * Errors: NOT_FOUND for a missing parent; ALREADY_EXISTS if an entry of any kind exists.
   * Threads: any at once. */
  void (*create_link)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, const char *target, TF_Status *status);

  /* Returns the target of a symbolic link as it was given, or NULL on failure; if directory is not
   *   NULL, path is an entry in it.
   * Default: UNIMPLEMENTED.
   * Errors: NOT_FOUND; FAILED_PRECONDITION if the entry is not a link.
   * Threads: any at once.
   * Owns: the host, which frees the string with plugin_memory_free. */
  char *(*read_link)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                     const char *path, TF_Status *status);

  /* Sets the attributes whose bits are in which of a file that is open for writing. They hold once
   *   the file is closed; a write that follows does not change an mtime set here.
   * Required: open_writer.
   * Default: set_attributes after the file is closed.
   * Errors: those of set_attributes.
   * Threads: one per handle. */
  void (*set_writer_attributes)(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                const modfs_attributes *attributes, uint64_t which,
                                TF_Status *status);

  /* Returns a checksum of a file's content that the storage keeps, or NULL on failure; the content
   *   is not read. The algorithm "etag" is the entity tag of HTTP, without its quotes.
   * Default: UNIMPLEMENTED.
   * Errors: those of get_file_size; UNIMPLEMENTED for an algorithm that the storage does not keep.
   * Threads: any at once.
   * Owns: the host, which frees the string with plugin_memory_free. */
  char *(*stored_hash)(const TF_Filesystem *filesystem, const char *path, const char *algorithm,
                       TF_Status *status);

  /* Stores the attributes that a file had when it was opened for reading, as opening it has told
   *   them already: no further request.
   * Default: UNIMPLEMENTED; get_attributes serves instead.
   * Errors: UNIMPLEMENTED.
   * Threads: any at once. */
  void (*reader_attributes)(const TF_Filesystem *filesystem, const TF_RandomAccessFile *file,
                            modfs_attributes *attributes, TF_Status *status);

  /* Passes a function that says whether the call on the asking thread is to end. Calls that wait or
   *   take long ask it every 50 ms or more often, fail with CANCELLED when it returns true, and end
   *   the threads that they have started.
   * Default: calls run to their end.
   * Threads: any at once; the host calls it once, before the calls of filesystem.h.
   * Owns: the host; the function can be called for the life of the process. */
  void (*accept_interruption)(const TF_Filesystem *filesystem, modfs_interrupted *interrupted);

  /* Returns the extended attributes that a copy keeps in one block, or NULL if there are none and on
   *   failure: for each a uint32_t, the length of its value, then its name with NUL, then the value;
   *   sorted by name, unaligned. Links are followed; if directory is not NULL, path is an entry in
   *   it, or "" for the directory itself, and a link is not followed.
   * Default: UNIMPLEMENTED.
   * Errors: those of stat; FAILED_PRECONDITION for a link that is not followed. Threads: any at once.
   * Owns: the host, which frees the block with plugin_memory_free. */
  char *(*get_xattrs)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, size_t *size, TF_Status *status);

  /* Makes the attributes of such a block, from any filesystem, the only ones that get_xattrs returns.
   * Those of the storage itself (object.content_type) stay if it has none; empty, they are removed.
   * Required: with get_xattrs.
   * Default: UNIMPLEMENTED.
   * Errors: those of get_xattrs; UNIMPLEMENTED for an attribute that cannot be kept, others may be
   *   set then.
   * Threads: any at once. */
  void (*set_xattrs)(const TF_Filesystem *filesystem, const modfs_directory *directory,
                     const char *path, const char *block, size_t size, TF_Status *status);

  /* Stores the room of the storage that a path is on.
   * Default: UNIMPLEMENTED.
   * Errors: those of stat; UNIMPLEMENTED for storage without limits.
   * Threads: any at once. */
  void (*get_space)(const TF_Filesystem *filesystem, const char *path, modfs_space *space,
                    TF_Status *status);

  /* Passes functions that read and write what other plugins store. URIs with a scheme that is
   *   joined to the plugin's own, as in zip+s3://bucket/a.zip, then come to this plugin as they are.
   * Default: joined schemes are not served.
   * Threads: any at once; the host calls it once, before the calls of filesystem.h.
   * Owns: the host; the table is valid for the life of the process. */
  void (*accept_host)(const TF_Filesystem *filesystem, const modfs_host *host);

  /* Returns a URL with which anybody can "GET" or "PUT" the file for so many seconds, or NULL on
   *   failure. Nothing is asked of the storage: the file need not exist.
   * Default: UNIMPLEMENTED.
   * Errors: INVALID_ARGUMENT for another method or time; UNAUTHENTICATED.
   * Threads: any at once.
   * Owns: the host, which frees the string with plugin_memory_free. */
  char *(*presign)(const TF_Filesystem *filesystem, const char *path, const char *method,
                   uint64_t seconds, TF_Status *status);

  /* Stores as many of the next entries as fit, packed: of each a byte with its kind, its name and a
   *   NUL. Returns how many bytes they take; 0 at the end and on failure. The host lists a handle by
   *   this slot or by next_entry, not by both.
   * Required: open_directory, next_entry, close_directory.
   * Default: the host calls next_entry, or get_children.
   * Threads: one per handle.
   * Owns: the host; the block is aligned as by malloc, size is MODFS_ENTRIES_SIZE or more. */
  size_t (*next_entries)(const modfs_directory *directory, char *block, size_t size,
                         TF_Status *status);

  /* Copies a file as copy_entry does, stores the attributes that it had before its content was read,
   *   and gives those in which to the copy, the mode without set-id bits. Returns the bits of those
   *   that the copy has; one that it cannot have is no failure, as the host tries set_attributes then.
   * Required: copy_entry. Default: entry_attributes, copy_entry and set_attributes.
   * Errors: those of copy_entry.
   * Threads: any at once. */
  uint64_t (*copy_entry_keeping)(const modfs_directory *from, const char *name,
                                 const modfs_directory *to, const char *new_name, uint64_t which,
                                 modfs_attributes *attributes, TF_Status *status);
} modfs_extension_ops;

/* Returns the table for one of the plugin's schemes, or NULL if that scheme has none. The host
 * calls it once for each scheme, after init. Owns: the plugin; the table must remain valid for
 * the life of the process. */
TF_CAPI_EXPORT extern const modfs_extension_ops *modfs_extension(const char *scheme);

#ifdef __cplusplus
}
#endif

#endif
