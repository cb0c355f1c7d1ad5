/* The interface between a host and a filesystem plugin.
 *
 * The binary layout is that of TensorFlow's modular filesystems as shipped
 * (filesystem_interface.h, 2.5 and later), so one plugin binary works in both
 * hosts. The header compiles as C11 and as C++11.
 *
 * A plugin is a shared object that exports TF_InitPlugin. The host calls it once
 * with a zeroed TF_FilesystemPluginInfo. The plugin stores its pair of allocation
 * functions and one TF_FilesystemPluginOps per scheme. The host copies the tables,
 * frees what the plugin allocated for them, and calls init for each scheme.
 *
 * A table is a struct of function pointers; each of them is a slot. The comment
 * above a slot has these parts, in this order, and omits those that do not apply:
 *   One sentence on what the slot does, its arguments and its result.
 *   Required: what the loader insists on: "always" if the slot must not be NULL,
 *             otherwise what must come with it.
 *   Default:  what the host does if the slot is NULL; without this line the
 *             operation fails with UNIMPLEMENTED.
 *   Errors:   the status codes that are fixed by contract; a plugin may use any
 *             other code for other errors.
 *   Threads:  "any at once" (thread-safe), "one per handle" (the host makes one
 *             call at a time on each handle) or "last call" (no other call on the
 *             handle is in progress, and none follows).
 *   Owns:     who owns what is returned, and how it is released; without this
 *             line every pointer is borrowed for the duration of the call.
 *
 * Rules for all slots:
 *   - Pointers from the host are never NULL, unless the slot says so.
 *   - Paths are NUL-terminated byte strings in the filesystem's own form, that is,
 *     already passed through translate_name. Only get_matching_paths receives its
 *     pattern as the user wrote it.
 *   - The host passes a fresh status that is OK. A slot fails by setting another
 *     code.
 *   - An "invalid path" is malformed, or has a file as a parent; it fails with
 *     FAILED_PRECONDITION.
 *   - A message says what went wrong. modfs adds the operation and the path;
 *     TensorFlow adds neither. A message may therefore start with the path, either
 *     as the slot received it or as users write it, followed by ": " ("source to
 *     target: " if there are two paths); modfs then prints the path only once.
 *     "***" may replace the end of the path.
 *   - Offsets and lengths are in bytes; times are in nanoseconds since 1970-01-01
 *     UTC.
 *   - The host owns the wrapper structs (TF_WritableFile and so on); the plugin
 *     owns what the pointer in them refers to. The pointer is opaque to the host
 *     and may be NULL.
 *   - A slot that gets no memory fails with RESOURCE_EXHAUSTED, or another code that no Errors: line
 *     gives a meaning, and releases what it has acquired. It does not report success unless all is
 *     done, and does not end the process.
 *   - A system call that a signal interrupts (EINTR) is no failure: it is repeated, unless the host wants
 *     the slot to end (accept_interruption in extension.h).
 *   - No call may unwind into the host, by a C++ exception or by longjmp. */
#ifndef MODFS_FILESYSTEM_H
#define MODFS_FILESYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. Handles ---------------------------------------------------------------- */

typedef struct TF_RandomAccessFile {
  void *plugin_file;
} TF_RandomAccessFile;

typedef struct TF_WritableFile {
  void *plugin_file;
} TF_WritableFile;

typedef struct TF_ReadOnlyMemoryRegion {
  void *plugin_memory_region;
} TF_ReadOnlyMemoryRegion;

typedef struct TF_Filesystem {
  void *plugin_filesystem;
} TF_Filesystem;

/* A transaction. The plugin allocates and frees the struct. */
typedef struct TF_TransactionToken {
  void *token;
  TF_Filesystem *owner;
} TF_TransactionToken;

typedef struct TF_FileStatistics {
  int64_t length;     /* bytes; unspecified for a directory */
  int64_t mtime_nsec; /* modification time, nanoseconds since 1970-01-01 UTC */
  bool is_directory;
} TF_FileStatistics;

/* 2. Options ---------------------------------------------------------------- */

typedef enum TF_Filesystem_Option_Type {
  TF_Filesystem_Option_Type_Int = 0,
  TF_Filesystem_Option_Type_Real,
  TF_Filesystem_Option_Type_Buffer,
  TF_Filesystem_Num_Option_Types /* the number of types, not a type */
} TF_Filesystem_Option_Type;

typedef union TF_Filesystem_Option_Value_Union {
  int64_t int_val;
  double real_val;
  struct {
    char *buf;
    int buf_length; /* bytes; buf is not necessarily NUL-terminated */
  } buffer_val;
} TF_Filesystem_Option_Value_Union;

typedef struct TF_Filesystem_Option_Value {
  int type_tag; /* a TF_Filesystem_Option_Type */
  int num_values;
  TF_Filesystem_Option_Value_Union *values; /* an array of num_values elements */
} TF_Filesystem_Option_Value;

typedef struct TF_Filesystem_Option {
  char *name;
  char *description; /* may be NULL */
  int per_file;      /* nonzero: applies to single files */
  TF_Filesystem_Option_Value *value;
} TF_Filesystem_Option;

/* 3. Tables ----------------------------------------------------------------- */

/* Operations on a file opened for random access. */
typedef struct TF_RandomAccessFileOps {
  /* Releases the file.
   * Required: always.
   * Threads: last call. */
  void (*cleanup)(TF_RandomAccessFile *file);

  /* Reads n bytes at offset into buffer; returns the number of bytes read, or -1.
   * Errors: OK if and only if all n bytes were read; OUT_OF_RANGE at the end of the file, with the
   *   bytes that were left; any other code with -1. n may be 0.
   * Threads: any at once. */
  int64_t (*read)(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                  TF_Status *status);
} TF_RandomAccessFileOps;

/* Operations on a file opened for writing, which is always at its end. */
typedef struct TF_WritableFileOps {
  /* Releases the file, and closes it first if close was not called, because TensorFlow does not
   *   close a file that it drops; the plugin then logs a failure to close.
   * Required: always.
   * Threads: last call. */
  void (*cleanup)(TF_WritableFile *file);

  /* Appends n bytes of buffer; n may be 0, and buffer may be NULL then.
   * Errors: RESOURCE_EXHAUSTED if fewer than n bytes could be written.
   * Threads: one per handle. */
  void (*append)(const TF_WritableFile *file, const char *buffer, size_t n, TF_Status *status);

  /* Returns the position of the next append, in bytes from the start of the file, or -1.
   * Threads: one per handle. */
  int64_t (*tell)(const TF_WritableFile *file, TF_Status *status);

  /* Writes the plugin's buffers to the storage, without waiting until the bytes are durable.
   * Default: does nothing.
   * Threads: one per handle. */
  void (*flush)(const TF_WritableFile *file, TF_Status *status);

  /* Returns once everything written so far is on stable storage.
   * Default: flush.
   * Threads: one per handle. */
  void (*sync)(const TF_WritableFile *file, TF_Status *status);

  /* Flushes and closes the file; a host calls it at most once or not at all, and then cleanup.
   * Errors: any failure that was held back until now.
   * Threads: one per handle. */
  void (*close)(const TF_WritableFile *file, TF_Status *status);
} TF_WritableFileOps;

/* Operations on the content of a file in memory, such as a mapping. */
typedef struct TF_ReadOnlyMemoryRegionOps {
  /* Releases the region; its bytes are invalid afterwards.
   * Required: always.
   * Threads: last call. */
  void (*cleanup)(TF_ReadOnlyMemoryRegion *region);

  /* Returns the address of the first byte, always the same.
   * Required: always.
   * Threads: any at once.
   * Owns: the region; the bytes are valid until its cleanup. */
  const void *(*data)(const TF_ReadOnlyMemoryRegion *region);

  /* Returns the length in bytes, always the same.
   * Required: always.
   * Threads: any at once. */
  uint64_t (*length)(const TF_ReadOnlyMemoryRegion *region);
} TF_ReadOnlyMemoryRegionOps;

/* Operations on a filesystem. TensorFlow has shipped tables of 176 bytes (up to
 * flush_caches), 224 bytes (up to decode_transaction_token) and 264 bytes; the host
 * accepts all three. New slots are only added at the end. */
typedef struct TF_FilesystemOps {
  /* Initializes the filesystem; may set plugin_filesystem.
   * Required: always.
   * Errors: any code other than OK makes the host reject the plugin.
   * Threads: one per handle, before any other call. */
  void (*init)(TF_Filesystem *filesystem, TF_Status *status);

  /* Destroys a filesystem whose registration was rolled back; a registered one is never destroyed.
   * Required: always.
   * Threads: last call. */
  void (*cleanup)(TF_Filesystem *filesystem);

  /* Opens a file for reading.
   * Required: a TF_RandomAccessFileOps table.
   * Errors: NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory or an
   *   invalid path.
   * Threads: any at once.
   * Owns: the host, which releases the handle with cleanup. */
  void (*new_random_access_file)(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status);

  /* Opens a new, empty file for writing; replaces an existing file.
   * Required: a TF_WritableFileOps table.
   * Errors: NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an invalid path.
   * Threads: any at once; the handle is for one thread at a time.
   * Owns: the host, which releases the handle with close and cleanup. */
  void (*new_writable_file)(const TF_Filesystem *filesystem, const char *path,
                            TF_WritableFile *file, TF_Status *status);

  /* Opens a file for writing at its end; creates it if it is missing.
   * Required: a TF_WritableFileOps table.
   * Errors: NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an invalid path.
   * Threads: any at once; the handle is for one thread at a time.
   * Owns: the host, which releases the handle with close and cleanup. */
  void (*new_appendable_file)(const TF_Filesystem *filesystem, const char *path,
                              TF_WritableFile *file, TF_Status *status);

  /* Maps a file, or reads it into memory.
   * Required: a TF_ReadOnlyMemoryRegionOps table.
   * Errors: NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory or an
   *   invalid path; INVALID_ARGUMENT for an empty file.
   * Threads: any at once.
   * Owns: the host, which releases the handle with cleanup. */
  void (*new_read_only_memory_region_from_file)(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region, TF_Status *status);

  /* Creates one directory.
   * Errors: NOT_FOUND for a missing parent; FAILED_PRECONDITION for an invalid path; ALREADY_EXISTS
   *   if there is an entry of any kind.
   * Threads: any at once. */
  void (*create_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Creates a directory and all missing parents; an existing directory is OK.
   * Default: calls create_dir from the top down; needs path_exists, is_directory and create_dir.
   * Errors: FAILED_PRECONDITION if the path or one of its parents is a file, or for an invalid
   *   path.
   * Threads: any at once. */
  void (*recursively_create_dir)(const TF_Filesystem *filesystem, const char *path,
                                 TF_Status *status);

  /* Deletes a file.
   * Errors: NOT_FOUND if it is missing; FAILED_PRECONDITION for a directory or an invalid path.
   * Threads: any at once. */
  void (*delete_file)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Deletes an empty directory.
   * Errors: NOT_FOUND if it is missing; FAILED_PRECONDITION for a file, a directory that is not
   *   empty, or an invalid path.
   * Threads: any at once. */
  void (*delete_dir)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Deletes a directory and everything in it, or one file; stores the numbers of files and
   *   directories that it could not delete.
   * Default: get_children, is_directory, delete_file and delete_dir, depth first.
   * Errors: the first failure, with both counts; OK if and only if both are 0; 0 files and 1
   *   directory if it could not start; NOT_FOUND for a missing path; links are not followed.
   * Threads: any at once. */
  void (*delete_recursively)(const TF_Filesystem *filesystem, const char *path,
                             uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                             TF_Status *status);

  /* Renames a file; replaces an existing file. On failure nothing has changed.
   * Default: copy_file, followed by delete_file of the source.
   * Errors: NOT_FOUND for a missing source or parent; FAILED_PRECONDITION if either is a directory
   *   or an invalid path.
   * Threads: any at once. */
  void (*rename_file)(const TF_Filesystem *filesystem, const char *src, const char *dst,
                      TF_Status *status);

  /* Copies a file; replaces an existing file. On failure nothing has changed.
   * Default: reads and appends in a loop; needs new_random_access_file and new_writable_file.
   * Errors: NOT_FOUND for a missing source or parent; FAILED_PRECONDITION if either is a directory
   *   (TensorFlow's header allows a directory as target, its tests do not) or an invalid path.
   * Threads: any at once. */
  void (*copy_file)(const TF_Filesystem *filesystem, const char *src, const char *dst,
                    TF_Status *status);

  /* Succeeds if the path is an existing file or directory.
   * Errors: NOT_FOUND if it does not exist; FAILED_PRECONDITION for an invalid path.
   * Threads: any at once. */
  void (*path_exists)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Returns whether path_exists would succeed for all paths; if statuses is not NULL, sets the
   *   result for each of them with TF_SetStatus.
   * Default: calls path_exists for each path.
   * Threads: any at once. */
  bool (*paths_exist)(const TF_Filesystem *filesystem, char **paths, int num_files,
                      TF_Status **statuses);

  /* Stores length, type and modification time in stats, which is unchanged on failure.
   * Errors: NOT_FOUND if the path does not exist; FAILED_PRECONDITION for an invalid path.
   * Threads: any at once. */
  void (*stat)(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
               TF_Status *status);

  /* Returns whether path is a directory.
   * Default: path_exists, followed by stat.
   * Errors: for a file false with FAILED_PRECONDITION (or, in some plugins, with OK: hosts accept
   *   both); NOT_FOUND if the path does not exist; FAILED_PRECONDITION for an invalid path.
   * Threads: any at once. */
  bool (*is_directory)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Returns the length of a file in bytes, or -1 on failure.
   * Default: the length from stat.
   * Errors: NOT_FOUND if the path does not exist; FAILED_PRECONDITION for a directory or an invalid
   *   path.
   * Threads: any at once. */
  int64_t (*get_file_size)(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

  /* Converts a URI or path to the filesystem's own form (without //, . and ..); never returns NULL.
   * Default: drops scheme and host, and cleans the path lexically, without accessing storage.
   * Threads: any at once.
   * Owns: the host, which frees the string with plugin_memory_free. */
  char *(*translate_name)(const TF_Filesystem *filesystem, const char *uri);

  /* Lists the bare names in a directory, in any order; returns their number, or -1.
   * Errors: NOT_FOUND if the directory or a parent is missing; FAILED_PRECONDITION for a file or an
   *   invalid path; on failure the plugin frees everything itself.
   * Threads: any at once.
   * Owns: the host, which frees each string and the array with plugin_memory_free. */
  int (*get_children)(const TF_Filesystem *filesystem, const char *path, char ***entries,
                      TF_Status *status);

  /* Lists the paths that match a pattern: * ? [list] [^list] never match a slash, \c is c itself.
   * Default: scans from the deepest directory without wildcards; needs get_children and
   *   is_directory.
   * Errors: no match is OK; on failure the plugin frees everything itself.
   * Threads: any at once.
   * Owns: the host, which frees each string and the array with plugin_memory_free. */
  int (*get_matching_paths)(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                            TF_Status *status);

  /* Discards all caches.
   * Default: does nothing.
   * Threads: any at once. */
  void (*flush_caches)(const TF_Filesystem *filesystem);

  /* Starts a transaction; returns 0, or -1.
   * Errors: FAILED_PRECONDITION if one is open and only one is possible.
   * Threads: any at once.
   * Owns: the plugin; the token is valid until end_transaction. */
  int (*start_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                           TF_Status *status);

  /* Commits a transaction: makes all changes under its paths visible at once and frees the token;
   *   returns 0, or -1.
   * Errors: NOT_FOUND for an unknown token. After any other failure the transaction is still open, and
   *   the host may call again, or abort_transaction of extension.h.
   * Threads: any at once.
   * Owns: the plugin, which frees the token on success; it is invalid then. */
  int (*end_transaction)(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                         TF_Status *status);

  /* Adds a path, existing or not, to a transaction; a directory includes everything below it.
   * Errors: NOT_FOUND for an unknown token; FAILED_PRECONDITION if the path belongs to another
   *   transaction.
   * Threads: any at once. */
  int (*add_to_transaction)(const TF_Filesystem *filesystem, const char *path,
                            TF_TransactionToken *token, TF_Status *status);

  /* Finds the transaction that a path belongs to; returns 0, or -1.
   * Errors: NOT_FOUND if it belongs to none.
   * Threads: any at once.
   * Owns: the plugin; the token is valid until end_transaction. */
  int (*get_transaction_for_path)(const TF_Filesystem *filesystem, const char *path,
                                  TF_TransactionToken **token, TF_Status *status);

  /* Finds the transaction that a path belongs to, or starts one and adds the path to it.
   * Errors: FAILED_PRECONDITION if it belongs to none and no other can be started.
   * Threads: any at once.
   * Owns: the plugin; the token is valid until end_transaction. */
  int (*get_or_start_transaction_for_path)(const TF_Filesystem *filesystem, const char *path,
                                           TF_TransactionToken **token, TF_Status *status);

  /* Returns a description of a token for display, never NULL.
   * Default: the addresses of token and owner as text.
   * Threads: any at once.
   * Owns: the host, which frees the string with plugin_memory_free. */
  char *(*decode_transaction_token)(const TF_Filesystem *filesystem,
                                    const TF_TransactionToken *token);

  /* Lists the options with their current values.
   * Default: an empty list, with OK.
   * Threads: any at once.
   * Owns: the host, which frees the array and everything in it with plugin_memory_free. */
  void (*get_filesystem_configuration)(const TF_Filesystem *filesystem,
                                       TF_Filesystem_Option **options, int *num_options,
                                       TF_Status *status);

  /* Sets options; the second parameter is an array of num_options structs, as TensorFlow passes it
   *   (its oldest header declared an array of pointers; binaries built for that cannot be
   *   recognized and are misread).
   * Errors: NOT_FOUND for an unknown name; INVALID_ARGUMENT for an invalid value; then no option is
   *   set.
   * Threads: any at once. */
  void (*set_filesystem_configuration)(const TF_Filesystem *filesystem,
                                       const TF_Filesystem_Option *options, int num_options,
                                       TF_Status *status);

  /* Finds one option by name.
   * Default: searches get_filesystem_configuration.
   * Errors: NOT_FOUND for an unknown name.
   * Threads: any at once.
   * Owns: the host, which frees the option and everything in it with plugin_memory_free. */
  void (*get_filesystem_configuration_option)(const TF_Filesystem *filesystem, const char *key,
                                              TF_Filesystem_Option **option, TF_Status *status);

  /* Sets one option.
   * Default: set_filesystem_configuration with that one option; NOT_FOUND if that slot is NULL,
   *   too.
   * Errors: NOT_FOUND for an unknown name; INVALID_ARGUMENT for an invalid value.
   * Threads: any at once. */
  void (*set_filesystem_configuration_option)(const TF_Filesystem *filesystem,
                                              const TF_Filesystem_Option *option,
                                              TF_Status *status);

  /* Never called, because a char ** cannot return a list that the host could free. The host uses
   *   get_filesystem_configuration.
   * Default: the host always uses get_filesystem_configuration. */
  void (*get_filesystem_configuration_keys)(const TF_Filesystem *filesystem, char **keys,
                                            int *num_keys, TF_Status *status);
} TF_FilesystemOps;

/* 4. Versions --------------------------------------------------------------- */

/* The host rejects a plugin with a different ABI number and warns about a different API number. All
 * numbers have been 0 so far. */
enum {
  TF_RANDOM_ACCESS_FILE_OPS_API = 0,
  TF_RANDOM_ACCESS_FILE_OPS_ABI = 0,
  TF_WRITABLE_FILE_OPS_API = 0,
  TF_WRITABLE_FILE_OPS_ABI = 0,
  TF_READ_ONLY_MEMORY_REGION_OPS_API = 0,
  TF_READ_ONLY_MEMORY_REGION_OPS_ABI = 0,
  TF_FILESYSTEM_OPS_API = 0,
  TF_FILESYSTEM_OPS_ABI = 0
};

#define TF_RANDOM_ACCESS_FILE_OPS_SIZE (sizeof(TF_RandomAccessFileOps))
#define TF_WRITABLE_FILE_OPS_SIZE (sizeof(TF_WritableFileOps))
#define TF_READ_ONLY_MEMORY_REGION_OPS_SIZE (sizeof(TF_ReadOnlyMemoryRegionOps))
#define TF_FILESYSTEM_OPS_SIZE (sizeof(TF_FilesystemOps))

/* 5. Registration ----------------------------------------------------------- */

/* One scheme of a plugin. The plugin allocates the string and the tables with
 * plugin_memory_allocate; the host copies them and frees them with plugin_memory_free. A missing
 * table is NULL. */
typedef struct TF_FilesystemPluginOps {
  char *scheme; /* a letter, then letters, digits and dots; "" serves plain paths */
  int filesystem_ops_abi;
  int filesystem_ops_api;
  size_t filesystem_ops_size; /* bytes: the size the plugin was compiled with */
  TF_FilesystemOps *filesystem_ops;
  int random_access_file_ops_abi;
  int random_access_file_ops_api;
  size_t random_access_file_ops_size;
  TF_RandomAccessFileOps *random_access_file_ops;
  int writable_file_ops_abi;
  int writable_file_ops_api;
  size_t writable_file_ops_size;
  TF_WritableFileOps *writable_file_ops;
  int read_only_memory_region_ops_abi;
  int read_only_memory_region_ops_api;
  size_t read_only_memory_region_ops_size;
  TF_ReadOnlyMemoryRegionOps *read_only_memory_region_ops;
} TF_FilesystemPluginOps;

typedef struct TF_FilesystemPluginInfo {
  size_t num_schemes;
  TF_FilesystemPluginOps *ops; /* array of num_schemes, from plugin_memory_allocate */
  /* The pair for all memory that changes hands; free takes NULL. Required: both. */
  void *(*plugin_memory_allocate)(size_t size);
  void (*plugin_memory_free)(void *ptr);
} TF_FilesystemPluginInfo;

/* Stores the ABI and API numbers and the table sizes of this header in ops. It is inline, so the
 * plugin records the versions it was compiled with, not those of the host. */
static inline void TF_SetFilesystemVersionMetadata(TF_FilesystemPluginOps *ops) {
  ops->filesystem_ops_abi = TF_FILESYSTEM_OPS_ABI;
  ops->filesystem_ops_api = TF_FILESYSTEM_OPS_API;
  ops->filesystem_ops_size = TF_FILESYSTEM_OPS_SIZE;
  ops->random_access_file_ops_abi = TF_RANDOM_ACCESS_FILE_OPS_ABI;
  ops->random_access_file_ops_api = TF_RANDOM_ACCESS_FILE_OPS_API;
  ops->random_access_file_ops_size = TF_RANDOM_ACCESS_FILE_OPS_SIZE;
  ops->writable_file_ops_abi = TF_WRITABLE_FILE_OPS_ABI;
  ops->writable_file_ops_api = TF_WRITABLE_FILE_OPS_API;
  ops->writable_file_ops_size = TF_WRITABLE_FILE_OPS_SIZE;
  ops->read_only_memory_region_ops_abi = TF_READ_ONLY_MEMORY_REGION_OPS_ABI;
  ops->read_only_memory_region_ops_api = TF_READ_ONLY_MEMORY_REGION_OPS_API;
  ops->read_only_memory_region_ops_size = TF_READ_ONLY_MEMORY_REGION_OPS_SIZE;
}

/* The entry point of a plugin, which the plugin exports. The host calls it once, when it loads the
 * file, with a zeroed plugin_info for the plugin to fill in. */
TF_CAPI_EXPORT extern void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info);

#ifdef __cplusplus
}
#endif

#endif
