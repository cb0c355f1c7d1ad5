/* The C API for hosts: filesystems, files and plugins, without Lua.
 *
 * The following holds for every function in this header, unless its comment says otherwise:
 *   - A path is a NUL-terminated byte string, either a plain path or a URI. A URI passed to a
 *     function of a filesystem must have the scheme of that filesystem; otherwise the call fails
 *     with INVALID_ARGUMENT.
 *   - A string is NULL only where a comment says so: otherwise the call fails with INVALID_ARGUMENT,
 *     and without a status it returns NULL, false or nothing. Bytes with a length are the caller's
 *     affair.
 *   - A function with a status parameter sets it to OK first. On failure it sets a code and a
 *     message of the form "operation path: what happened": one line of at most 4 KiB without
 *     control characters. Output parameters are then unchanged; a function that returns a pointer
 *     returns NULL, one that returns a bool returns false.
 *   - RESOURCE_EXHAUSTED means that memory could not be allocated, UNIMPLEMENTED that the plugin
 *     does not implement the operation. Other codes come from the plugin, as documented in
 *     filesystem.h.
 *   - If a plugin violates its contract, the call fails with INTERNAL and the message names the
 *     plugin.
 *   - Sizes and offsets are in bytes, times in nanoseconds since 1970-01-01 UTC.
 *   - Threads: filesystems, plugins, files, bytes and transactions may be used from any number of
 *     threads at once; a modfs_writable, modfs_input, modfs_listing, modfs_walk, modfs_tree,
 *     modfs_records or modfs_watch from one thread at a time.
 *   - Ownership: a returned pointer that is not const belongs to the caller, who releases it with
 *     the function named in the comment. A const pointer is borrowed. Functions that release an
 *     object (close, free, drop) accept NULL, except those that take a modfs_writable.
 *   - Fork: in the child, a modfs_writable of the parent fails with FAILED_PRECONDITION, and
 *     closing it does not call the plugin, because the buffered data is for the parent to write; a
 *     modfs_watch fails, too, because the queue of changes is the parent's. */
#ifndef MODFS_MODFS_H
#define MODFS_MODFS_H

#include "extension.h"
#include "filesystem.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MODFS_API
#define MODFS_API __attribute__((visibility("default")))
#endif

typedef struct modfs_fs modfs_fs;                   /* a registered filesystem; never freed */
typedef struct modfs_plugin modfs_plugin;           /* a loaded plugin; never freed */
typedef struct modfs_file modfs_file;               /* a file open for reading */
typedef struct modfs_input modfs_input;             /* a buffered reader with a position */
typedef struct modfs_writable modfs_writable;       /* a file open for writing */
typedef struct modfs_bytes modfs_bytes;             /* a reference-counted block of bytes */
typedef struct modfs_transaction modfs_transaction; /* a reference-counted token */
typedef struct modfs_listing modfs_listing;         /* an iterator over a directory */
typedef struct modfs_codec modfs_codec;             /* a compression format; never freed */
typedef struct modfs_tree modfs_tree;               /* a running operation on a tree */
typedef struct modfs_choice modfs_choice;           /* which entries of a tree an operation takes */
typedef struct modfs_walk modfs_walk;               /* an iterator over the directories of a tree */
typedef struct modfs_records modfs_records;         /* a reader of TFRecord files */
typedef struct modfs_watch modfs_watch;             /* a queue of changes to files */

/* Initialization ------------------------------------------------------------ */

/* Loads the plugins for plain paths, file:// and mem:// from the directory "plugins" next to the
 * library or program that contains this code. Call it before any other function. Later calls, from
 * any thread, only report the result of the first. */
MODFS_API void modfs_start(TF_Status *status);

/* Returns the directory of the plugins that ship with modfs, without a trailing slash. It is ""
 * before modfs_start. */
MODFS_API const char *modfs_plugin_directory(void);

/* Returns the name of a code without the prefix TF_: "OK", "NOT_FOUND", …; "UNKNOWN" for a
 * number that is not a code. */
MODFS_API const char *modfs_code_name(TF_Code code);

/* Like TF_SetStatus, with a message that is formatted as by printf and cut off at 4 KiB. The
 * message gets no operation or path in front. */
MODFS_API void modfs_set_status(TF_Status *status, TF_Code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Strings ------------------------------------------------------------------- */

/* A string list: count NUL-terminated strings. Release it with modfs_string_list_fini. */
typedef struct modfs_string_list {
  size_t count;
  char **items;
  struct string_block *blocks; /* hold the strings together; NULL: each was allocated by itself */
} modfs_string_list;

/* Frees the strings and the array, and makes the list empty. */
MODFS_API void modfs_string_list_fini(modfs_string_list *names);

/* Sorts the strings by their bytes, as strcmp does. */
MODFS_API void modfs_string_list_sort(modfs_string_list *names);

/* The parts of a URI, as pointers into it; they are not NUL-terminated. In a plain path, scheme and
 * host are empty. */
typedef struct modfs_path {
  const char *scheme;
  size_t scheme_length;
  const char *host;
  size_t host_length;
  const char *path;
  size_t path_length;
} modfs_path;

/* Splits a URI of length bytes as TensorFlow's ParseURI does. A scheme is a letter, followed by
 * letters, digits and dots, and ends at "://". Beyond TensorFlow, a "+" joins two schemes of two
 * characters or more: zip+s3. */
MODFS_API modfs_path modfs_path_parse(const char *uri, size_t length);

/* The following functions work on the text alone and do not access storage, except where the
 * working directory or users are named. Each returns a new string to be released with free(), or
 * NULL if memory could not be allocated. */

/* Removes "//" and "." and resolves "..". path is a plain path. */
MODFS_API char *modfs_path_clean(const char *path);

/* Joins two paths with exactly one slash. */
MODFS_API char *modfs_path_join(const char *left, const char *right);

/* Returns the part before the last slash of the path, with scheme and host; "" for a plain path
 * without a slash. */
MODFS_API char *modfs_path_dirname(const char *uri);

/* Returns the part after the last slash of the path. */
MODFS_API char *modfs_path_basename(const char *uri);

/* Returns the part of the basename after its last dot, or "". */
MODFS_API char *modfs_path_extension(const char *uri);

/* Returns the basename up to its last dot; a dot with nothing but dots before it does not count. */
MODFS_API char *modfs_path_stem(const char *uri);

/* Like modfs_path_clean, for URIs as well: scheme and host stay. */
MODFS_API char *modfs_path_clean_uri(const char *uri);

/* Returns the path that leads from the directory base to path.
 * Errors: INVALID_ARGUMENT if their schemes or hosts differ, if only one of them is absolute, or if
 *   the result depends on the working directory: the path to "a" from "..". */
MODFS_API char *modfs_path_relative(const char *path, const char *base, TF_Status *status);

/* Returns the deepest path that contains all of the paths, or is one of them; "" for the working
 * directory.
 * Errors: INVALID_ARGUMENT for an empty list, and for paths as in modfs_path_relative. */
MODFS_API char *modfs_path_common(const modfs_string_list *paths, TF_Status *status);

/* Returns the cleaned path, made absolute with the working directory; a URI is absolute.
 * Errors: NOT_FOUND if the working directory has been deleted. */
MODFS_API char *modfs_path_absolute(const char *path, TF_Status *status);

/* Replaces a leading "~" by $HOME or the home directory of the process's user, and "~name" by that
 * of another user. Returns a copy of the path if there is no such user or home directory. */
MODFS_API char *modfs_path_expand_user(const char *path);

/* Returns whether name matches pattern. The syntax is that of get_matching_paths in
 * filesystem.h; in addition a segment "**" matches any number of segments, including none, but
 * at least one at the end of the pattern. The running time is linear in the length of each. */
MODFS_API bool modfs_glob_match(const char *name, const char *pattern);

/* Returns a pattern that matches exactly s, or NULL if memory could not be allocated. Release it
 * with free(). */
MODFS_API char *modfs_glob_escape(const char *s);

/* Plugins ------------------------------------------------------------------- */

/* The version and size that a plugin declared for one of its tables; size 0: the table is
 * missing. */
typedef struct modfs_version {
  int abi;
  int api;
  size_t size;
} modfs_version;

typedef enum modfs_table {
  MODFS_TABLE_FILESYSTEM = 0,
  MODFS_TABLE_RANDOM_ACCESS_FILE,
  MODFS_TABLE_WRITABLE_FILE,
  MODFS_TABLE_READ_ONLY_MEMORY_REGION,
  MODFS_TABLES
} modfs_table;

/* Loads a plugin file and registers all of its schemes and its platform, or none of them. Loading
 * the same file again (same device, inode and symbol) returns the same plugin. A plugin is never
 * unloaded.
 * file:   a relative path is relative to the working directory; the search path of the dynamic
 *         loader is never used.
 * symbol: the name of the entry point instead of TF_InitPlugin, or NULL.
 * trust:  true skips the ownership check of the file and the directories above it.
 * Errors: NOT_FOUND (no such file, no entry point, or an unresolved dependency or symbol),
 *   PERMISSION_DENIED (other users can write the file or a directory above it),
 *   FAILED_PRECONDITION (not a loadable object, a different ABI, or a required slot is NULL),
 *   INVALID_ARGUMENT (an invalid scheme or table), ALREADY_EXISTS (a scheme or the platform is
 *   already registered). */
MODFS_API const modfs_plugin *modfs_plugin_load(const char *file, const char *symbol, bool trust,
                                                TF_Status *status);

/* Registers the plugin's filesystem for scheme under the name as. */
typedef struct modfs_renaming {
  const char *scheme, *as;
} modfs_renaming;

/* Like modfs_plugin_load, but registers only one filesystem of the plugin, under another scheme.
 * Use it to test a plugin whose scheme is already registered. The plugin receives URIs with its
 * own scheme. A plugin that is loaded already is registered once more, for each new pair of
 * schemes: its entry point is called again. With renaming NULL the function is modfs_plugin_load. */
MODFS_API const modfs_plugin *modfs_plugin_load_as(const char *file, const char *symbol, bool trust,
                                                   const modfs_renaming *renaming,
                                                   TF_Status *status);

/* Iterates over the plugins in load order: returns the first one for NULL, and NULL after the
 * last. */
MODFS_API const modfs_plugin *modfs_plugin_next(const modfs_plugin *plugin);

MODFS_API const char *modfs_plugin_path(const modfs_plugin *plugin); /* canonical path */
MODFS_API size_t modfs_plugin_scheme_count(const modfs_plugin *plugin);

/* index: less than modfs_plugin_scheme_count. */
MODFS_API const char *modfs_plugin_scheme(const modfs_plugin *plugin, size_t index);

/* For display; NULL if the plugin does not provide it. */
MODFS_API const char *modfs_plugin_author(const modfs_plugin *plugin);
MODFS_API const char *modfs_plugin_version(const modfs_plugin *plugin);
MODFS_API const char *modfs_plugin_url(const modfs_plugin *plugin);

/* Returns what the plugin declared for a table of its first scheme. */
MODFS_API modfs_version modfs_plugin_table(const modfs_plugin *plugin, modfs_table table);

/* Returns the warnings of the load (a different API number), one per line, or NULL if there were
 * none. */
MODFS_API const char *modfs_plugin_warning(const modfs_plugin *plugin);

/* Filesystems --------------------------------------------------------------- */

/* Returns the filesystem registered for a scheme of length bytes, or NULL. Takes no lock. Joined
 * schemes A+B are served by the filesystem of A, if that one reads what others store (accept_host of
 * extension.h) and B is served, too. */
MODFS_API const modfs_fs *modfs_fs_find(const char *scheme, size_t length);

/* Returns the filesystem registered for the scheme of a path, or NULL. Takes no lock. */
MODFS_API const modfs_fs *modfs_fs_of(const char *path);

/* Like modfs_fs_of, but loads a plugin if the scheme is not registered.
 * plugin_path: file name templates separated by semicolons; ? is replaced by the scheme, and the
 *   first file that exists is loaded with modfs_plugin_load.
 * operation: the first word of the message on failure.
 * Errors: UNIMPLEMENTED if there is no plugin for the scheme; the message lists the registered
 *   schemes, the most similar one and the files searched. Otherwise those of modfs_plugin_load. */
MODFS_API const modfs_fs *modfs_fs_search(const char *path, const char *plugin_path,
                                          const char *operation, TF_Status *status);

/* Iterates over the filesystems in registration order: returns the first one for NULL, and NULL
 * after the last. */
MODFS_API const modfs_fs *modfs_fs_next(const modfs_fs *fs);

MODFS_API const char *modfs_fs_scheme(const modfs_fs *fs);
MODFS_API const modfs_plugin *modfs_fs_plugin(const modfs_fs *fs);

/* Return the name of a slot, and who implements it: "plugin", "default" (the host) or "missing"
 * (calls fail with UNIMPLEMENTED). index is 0 to MODFS_FS_OPERATIONS - 1, in the order of the
 * ABI; NULL beyond that. */
enum { MODFS_FS_OPERATIONS = 33 };
MODFS_API const char *modfs_fs_operation_name(size_t index);
MODFS_API const char *modfs_fs_operation(const modfs_fs *fs, size_t index);

/* The same for the slots of modfs_extension_ops. */
enum { MODFS_FS_EXTENSIONS = 29 };
MODFS_API const char *modfs_fs_extension_name(size_t index);
MODFS_API const char *modfs_fs_extension(const modfs_fs *fs, size_t index);

/* One function for each slot of TF_FilesystemOps. Results and errors are documented at the slot in
 * filesystem.h; these functions also check what the plugin returns. */
MODFS_API void modfs_fs_create_dir(const modfs_fs *fs, const char *path, TF_Status *status);

/* Creates a directory that only its owner can access, if the filesystem supports that; the slot
 * create_private_dir of extension.h. */
MODFS_API void modfs_fs_create_private_dir(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_fs_recursively_create_dir(const modfs_fs *fs, const char *path,
                                               TF_Status *status);
MODFS_API void modfs_fs_delete_file(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_fs_delete_dir(const modfs_fs *fs, const char *path, TF_Status *status);

/* Both counts are also set on failure. */
MODFS_API void modfs_fs_delete_recursively(const modfs_fs *fs, const char *path,
                                           uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                           TF_Status *status);
MODFS_API void modfs_fs_rename_file(const modfs_fs *fs, const char *src, const char *dst,
                                    TF_Status *status);
MODFS_API void modfs_fs_copy_file(const modfs_fs *fs, const char *src, const char *dst,
                                  TF_Status *status);
MODFS_API void modfs_fs_path_exists(const modfs_fs *fs, const char *path, TF_Status *status);

/* Returns true if all count paths exist. codes: NULL, or an array of count elements that
 * receives the result for each path. status fails only if the paths could not be checked at all. */
MODFS_API bool modfs_fs_paths_exist(const modfs_fs *fs, const char *const *paths, size_t count,
                                    TF_Code *codes, TF_Status *status);
MODFS_API void modfs_fs_stat(const modfs_fs *fs, const char *path, TF_FileStatistics *stats,
                             TF_Status *status);

/* Stores the attributes of the entry itself and follows no link, if the plugin implements lstat;
 * the result of stat otherwise. */
MODFS_API void modfs_fs_lstat(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                              TF_Status *status);

/* Stores the attributes of what a path leads to, which is never a link; the slot get_attributes of
 * extension.h. The member known says which of them there are. */
MODFS_API void modfs_fs_get_attributes(const modfs_fs *fs, const char *path,
                                       modfs_attributes *attributes, TF_Status *status);

/* Sets the attributes whose bits MODFS_ATTRIBUTE_… are in which, and follows a link; the slot
 * set_attributes.
 * Errors: INVALID_ARGUMENT for a mode beyond 07777. */
MODFS_API void modfs_fs_set_attributes(const modfs_fs *fs, const char *path,
                                       const modfs_attributes *attributes, uint64_t which,
                                       TF_Status *status);

/* Creates a symbolic link at path that holds target as it is; the slot create_link.
 * Errors: INVALID_ARGUMENT for an empty target. */
MODFS_API void modfs_fs_create_link(const modfs_fs *fs, const char *path, const char *target,
                                    TF_Status *status);

/* Returns the target of the symbolic link at path as it was given; the slot read_link. Release it
 * with free(). */
MODFS_API char *modfs_fs_read_link(const modfs_fs *fs, const char *path, TF_Status *status);

/* Stores the room of the storage that path is on; the slot get_space. */
MODFS_API void modfs_fs_get_space(const modfs_fs *fs, const char *path, modfs_space *space,
                                  TF_Status *status);

/* Returns a checksum of the file's content that the storage keeps, such as "etag" on S3; the slot
 * stored_hash. Release it with free(). */
MODFS_API char *modfs_fs_stored_hash(const modfs_fs *fs, const char *path, const char *algorithm,
                                     TF_Status *status);

/* Returns a URL with which anybody can "GET" or "PUT" the file for so many seconds; the slot presign.
 * Release it with free(). */
MODFS_API char *modfs_fs_presign(const modfs_fs *fs, const char *path, const char *method,
                                 uint64_t seconds, TF_Status *status);

/* For a file the result is false with OK, whichever of the two conventions in filesystem.h its
 * plugin follows. */
MODFS_API bool modfs_fs_is_directory(const modfs_fs *fs, const char *path, TF_Status *status);

/* Returns the length in bytes, or -1 on failure. */
MODFS_API int64_t modfs_fs_get_file_size(const modfs_fs *fs, const char *path, TF_Status *status);

/* Returns the name in the filesystem's own form. Release it with free(). */
MODFS_API char *modfs_fs_translate_name(const modfs_fs *fs, const char *uri, TF_Status *status);

/* Stores the bare names of all entries, in the order of the plugin. */
MODFS_API void modfs_fs_get_children(const modfs_fs *fs, const char *path, modfs_string_list *names,
                                     TF_Status *status);
MODFS_API void modfs_fs_get_matching_paths(const modfs_fs *fs, const char *pattern,
                                           modfs_string_list *names, TF_Status *status);
MODFS_API void modfs_fs_flush_caches(const modfs_fs *fs);

/* How often a read of a whole file begins anew when it fails with ABORTED, because the file was
 * replaced meanwhile: in modfs_copy and modfs_map, and in what scripts call. */
enum { MODFS_READS_ANEW = 16 };

/* Copy or rename a file, within one filesystem or between two. On failure dst is unchanged if its
 * filesystem can replace a file atomically. If src and dst are the same file, the call succeeds and
 * changes nothing. A rename between two filesystems copies the file and then deletes src. */
MODFS_API void modfs_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                          const char *dst, TF_Status *status);
MODFS_API void modfs_rename(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, TF_Status *status);

/* A progress callback. It is called on the copying thread, after each block and at last with
 * done == total (in bytes), before the copy becomes visible at dst. It may use the status that was
 * passed to the copy. If it returns false, the copy fails with CANCELLED and leaves no part of the
 * copy at dst. */
typedef struct modfs_copy_progress {
  bool (*tell)(void *context, uint64_t done, uint64_t total);
  void *context;
} modfs_copy_progress;

/* Like modfs_copy, with progress reports. If the filesystem copies the file itself, or if src
 * and dst are the same file, the callback is called once, after the copy; it cannot cancel it
 * then. A copy that begins anew reports its bytes anew. */
MODFS_API void modfs_copy_with(const modfs_fs *from, const char *src, const modfs_fs *to,
                               const char *dst, const modfs_copy_progress *progress,
                               TF_Status *status);

/* Options ------------------------------------------------------------------- */

/* A list of options in the form of the ABI. Release it with modfs_options_fini. */
typedef struct modfs_options {
  size_t count;
  TF_Filesystem_Option *items;
} modfs_options;

/* Frees the options and everything in them, and makes the list empty. */
MODFS_API void modfs_options_fini(modfs_options *options);

/* One function for each configuration slot of filesystem.h. */
MODFS_API void modfs_fs_get_configuration(const modfs_fs *fs, modfs_options *options,
                                          TF_Status *status);
MODFS_API void modfs_fs_set_configuration(const modfs_fs *fs, const modfs_options *options,
                                          TF_Status *status);

/* Stores a list with the one option named key. */
MODFS_API void modfs_fs_get_configuration_option(const modfs_fs *fs, const char *key,
                                                 modfs_options *options, TF_Status *status);
MODFS_API void modfs_fs_set_configuration_option(const modfs_fs *fs,
                                                 const TF_Filesystem_Option *option,
                                                 TF_Status *status);
MODFS_API void modfs_fs_get_configuration_keys(const modfs_fs *fs, modfs_string_list *keys,
                                               TF_Status *status);

/* Directories --------------------------------------------------------------- */

typedef struct modfs_entry {
  const char *name; /* a bare name; valid until the next call on the listing */
  int kind;         /* a modfs_kind of extension.h; UNKNOWN if the plugin does not report it */
} modfs_entry;

/* Opens a directory for iteration. The iteration needs constant memory if the plugin implements
 * open_directory of extension.h. Release it with modfs_listing_close. */
MODFS_API modfs_listing *modfs_listing_open(const modfs_fs *fs, const char *path,
                                            TF_Status *status);

/* Stores the next entry, in any order, and returns true; returns false at the end (status is OK)
 * and on failure. */
MODFS_API bool modfs_listing_next(modfs_listing *listing, modfs_entry *entry, TF_Status *status);
MODFS_API void modfs_listing_close(modfs_listing *listing);

/* Changes ------------------------------------------------------------------- */

typedef enum modfs_change_kind {
  MODFS_CHANGE_CREATED,
  MODFS_CHANGE_CHANGED, /* content or attributes */
  MODFS_CHANGE_DELETED,
  MODFS_CHANGE_MOVED,   /* renamed, from `from` to `path` */
  MODFS_CHANGE_OVERFLOW /* changes were lost: list the directory again */
} modfs_change_kind;

/* Release it with modfs_change_fini. */
typedef struct modfs_change {
  int kind;
  char *path;
  char *from; /* NULL, if the kind is not MOVED */
} modfs_change;

MODFS_API void modfs_change_fini(modfs_change *change);

/* Starts to watch a file, or a directory and its entries, but not what is below those. Release it
 * with modfs_watch_close.
 * Errors: NOT_FOUND; UNIMPLEMENTED unless the filesystem is that of plain paths or served by the
 *   same plugin; RESOURCE_EXHAUSTED at the limits of inotify(7). */
MODFS_API modfs_watch *modfs_watch_open(const modfs_fs *fs, const char *path, TF_Status *status);

enum {
  MODFS_WATCH_NONE,   /* no change came in time, a signal was handled, or the call failed */
  MODFS_WATCH_CHANGE, /* *change is filled in */
  MODFS_WATCH_END     /* the directory has been deleted, moved or unmounted */
};

/* Waits for the next change, at most that many seconds, 1e9 or more: without a limit. Returns one
 * of the constants above. */
MODFS_API int modfs_watch_next(modfs_watch *watch, double seconds, modfs_change *change,
                               TF_Status *status);

/* Returns a descriptor that is readable when changes wait that no call has read yet. One call may
 * read several and keep them, so call modfs_watch_next until it returns MODFS_WATCH_NONE. */
MODFS_API int modfs_watch_descriptor(const modfs_watch *watch);

MODFS_API const char *modfs_watch_path(const modfs_watch *watch); /* the path passed to open */
MODFS_API void modfs_watch_close(modfs_watch *watch);

/* Choosing ------------------------------------------------------------------ */

/* An entry below the root of an operation on a tree. */
typedef struct modfs_candidate {
  const char *path; /* below the root, without a leading slash */
  const char *name;
  int kind;       /* a modfs_kind, never UNKNOWN */
  int64_t length; /* bytes; -1 for a directory */
  int64_t mtime_nsec;
} modfs_candidate;

/* Limits of a choice, initialized with MODFS_NO_LIMITS. Sizes and newer_than concern all entries
 * but directories.
 * max_depth: the entries of the root have depth 1.
 * newer_than: entries modified at this time or before are left out.
 * filter: false leaves an entry out, and all below a directory. It is called on the thread that
 *   steps the operation, which then has no other, after all else was found to fit. A failure in
 *   status ends the operation with it, and the filter is not called again. The filter must not
 *   step its operation; if it closes it, the operation ends with the step. */
typedef struct modfs_choice_limits {
  uint64_t max_depth;
  int64_t min_size;
  int64_t max_size;
  int64_t newer_than;
  bool (*filter)(void *context, const modfs_candidate *entry, TF_Status *status);
  void *context;
} modfs_choice_limits;

#define MODFS_NO_LIMITS                                                                            \
  { UINT64_MAX, 0, INT64_MAX, INT64_MIN, NULL, NULL }

/* Makes a choice of all entries within limits; NULL stands for no limits. Operations keep a choice
 * until they end; those with a filter must run on one thread. Release it with modfs_choice_free. */
MODFS_API modfs_choice *modfs_choice_new(const modfs_choice_limits *limits, TF_Status *status);
MODFS_API void modfs_choice_free(modfs_choice *choice);

/* Add patterns of gitignore(5), one a line, before the choice is used; the last that matches
 * decides. An excluded directory is not entered. After an include, an entry that is no directory is
 * taken only if a pattern included it or, where none matches it, its directory. */
MODFS_API void modfs_choice_exclude(modfs_choice *choice, const char *text, size_t length,
                                    TF_Status *status);
MODFS_API void modfs_choice_include(modfs_choice *choice, const char *text, size_t length,
                                    TF_Status *status);

/* Trees --------------------------------------------------------------------- */

/* Visits the directories of a tree one by one, like Python's os.walk. A symbolic link is never
 * treated as a directory. Names are sorted by their bytes. No descriptor stays open between two
 * calls.
 * bottomup: visit a directory after its subdirectories rather than before.
 * Errors: those of modfs_listing_open, for path itself.
 * Release the walk with modfs_walk_close. */
MODFS_API modfs_walk *modfs_walk_open(const modfs_fs *fs, const char *path, bool bottomup,
                                      TF_Status *status);

/* The same for the entries that a choice takes; NULL: all. Directories at its greatest depth have
 * no entries. */
MODFS_API modfs_walk *modfs_walk_open_chosen(const modfs_fs *fs, const char *path, bool bottomup,
                                             modfs_choice *choice, TF_Status *status);

/* Moves to the next directory and returns true; the functions below then describe that directory
 * until the next call. Returns false with OK at the end. Returns false with a failure if a
 * directory cannot be listed; call it again to continue with the next one. */
MODFS_API bool modfs_walk_next(modfs_walk *walk, TF_Status *status);

/* Returns the path of the current directory; after a failure, of the one that could not be
 * listed. */
MODFS_API const char *modfs_walk_path(const modfs_walk *walk);

/* The names of the subdirectories and of all other entries; index is less than the count. */
MODFS_API size_t modfs_walk_directory_count(const modfs_walk *walk);
MODFS_API const char *modfs_walk_directory(const modfs_walk *walk, size_t index);
MODFS_API size_t modfs_walk_file_count(const modfs_walk *walk);
MODFS_API const char *modfs_walk_file(const modfs_walk *walk, size_t index);

/* Replaces the subdirectories that the walk will visit below the current directory with count
 * names. Has no effect on a bottom-up walk. */
MODFS_API void modfs_walk_into(modfs_walk *walk, const char *const *names, size_t count,
                               TF_Status *status);
MODFS_API void modfs_walk_close(modfs_walk *walk);

/* What modfs_tree_copy and modfs_tree_sync do with symbolic links below the source. */
typedef enum modfs_links {
  MODFS_LINKS_KEEP, /* create the same link; where a side has no links, copy the file that it leads
                         to if that is below the source */
  MODFS_LINKS_FOLLOW, /* copy what it leads to, also from outside, and directories */
  MODFS_LINKS_SKIP
} modfs_links;

/* What the copies keep of their sources, beside the content: bits for the member preserve. Without
 * MODFS_PRESERVE_GIVEN they keep time and mode where the target can. With it they keep what the
 * other bits say, and what cannot be kept is recorded as a failure of its entry; not so of those
 * that are tried: MODFS_PRESERVE_GIVEN | MODFS_PRESERVE_TRY(MODFS_PRESERVE_MODE). Set-id bits are
 * kept with the owner alone. Extended attributes include access control lists. */
enum {
  MODFS_PRESERVE_GIVEN = 1,
  MODFS_PRESERVE_MTIME = 2,
  MODFS_PRESERVE_MODE = 4,
  MODFS_PRESERVE_OWNER = 8, /* and group */
  MODFS_PRESERVE_XATTRS = 16,
  MODFS_PRESERVE_TRY_SHIFT = 16
};
#define MODFS_PRESERVE_TRY(bits) ((uint64_t)(bits) << MODFS_PRESERVE_TRY_SHIFT)

/* Options of the tree operations below; 0 and false are the defaults. */
typedef struct modfs_tree_options {
  size_t threads; /* 0: the larger of the processors and in_flight; 1: the calling thread only */
  bool
      progress; /* modfs_tree_step returns after each file and within large ones, not only at the end */
  bool deletes;         /* sync: delete entries of dst that are missing from src */
  bool checksum;        /* sync: compare contents, not length and modification time */
  bool size_only;       /* sync: compare lengths alone */
  bool dry_run;         /* sync, delete: report what would be done, change nothing */
  modfs_choice *choice; /* the entries that the operation takes; NULL: all */
  int links;            /* copy, sync: a modfs_links */
  uint64_t preserve;    /* copy, sync: bits of MODFS_PRESERVE_… */
  /* measure: add up the lengths of directories and links, too, and count the length of a file with several names
   * once. */
  bool entries;
} modfs_tree_options;

/* The counts of an operation so far. */
typedef struct modfs_tree_counts {
  uint64_t files; /* measured, copied or deleted */
  uint64_t dirs;
  uint64_t bytes;
  uint64_t kept;       /* sync: files that were up to date */
  uint64_t deleted;    /* sync: deleted files and directories */
  uint64_t left_files; /* delete: files and directories not deleted */
  uint64_t left_dirs;
  uint64_t done; /* with progress: bytes in files processed so far, and in all */
  uint64_t total;
  uint64_t lost_errors; /* failures not recorded for lack of memory */
} modfs_tree_counts;

typedef struct modfs_tree_error {
  const char *path;
  const char *message; /* "operation path: what happened" */
  TF_Code code;
} modfs_tree_error;

typedef struct modfs_tree_event {
  uint64_t done;
  uint64_t total;
  const char
      *path; /* the file that was just processed or is being copied; valid until the next step */
} modfs_tree_event;

/* The next four functions prepare an operation; modfs_tree_step performs it. A failure below the
 * root is recorded and does not stop the operation. A link below the root is never followed, except
 * as modfs_links says. The thread pool is started when there is work for it, and all its threads
 * have been joined when modfs_tree_close returns. Release the operation with modfs_tree_close, at
 * any time. */

/* Counts the files, directories and bytes of a tree. A link counts as a file of 0 bytes. */
MODFS_API modfs_tree *modfs_tree_measure(const modfs_fs *fs, const char *path,
                                         const modfs_tree_options *options, TF_Status *status);

/* Deletes a tree or a single file; with a choice, the directories in which nothing is left. */
MODFS_API modfs_tree *modfs_tree_delete(const modfs_fs *fs, const char *path,
                                        const modfs_tree_options *options, TF_Status *status);

/* Copies a tree or a single file. Entries of dst that are missing from src are kept.
 * Errors: NOT_FOUND for a missing src; FAILED_PRECONDITION if one of src and dst is a directory
 *   and the other is a file; INVALID_ARGUMENT if dst is src or lies inside it; UNIMPLEMENTED for
 *   MODFS_PRESERVE_XATTRS if one of the two has none. */
MODFS_API modfs_tree *modfs_tree_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                                      const char *dst, const modfs_tree_options *options,
                                      TF_Status *status);

/* Makes dst equal to src and copies only files that differ: in length or time where the target keeps
 * times, at the coarser precision of both, elsewhere in length or by being newer. Deletes entries
 * that are missing from src if options->deletes is set.
 * Errors: those of modfs_tree_copy; INVALID_ARGUMENT for deletes if src lies inside dst. */
MODFS_API modfs_tree *modfs_tree_sync(const modfs_fs *from, const char *src, const modfs_fs *to,
                                      const char *dst, const modfs_tree_options *options,
                                      TF_Status *status);

/* Continues the operation. Returns true with an event (with options->progress only) after a file, and
 * after each MiB of one that is copied from one filesystem to another; false when the operation is
 * complete. With one thread there are no events within files.
 * Errors: FAILED_PRECONDITION in a forked child. */
MODFS_API bool modfs_tree_step(modfs_tree *tree, modfs_tree_event *event, TF_Status *status);

/* Cancels the operation: no further file is started, and a copy from one filesystem to another is given
 * up between two blocks. Keep calling modfs_tree_step until it returns false. */
MODFS_API void modfs_tree_cancel(modfs_tree *tree);
MODFS_API bool modfs_tree_was_cancelled(const modfs_tree *tree);

/* modfs_tree_result and modfs_tree_error_at may be called between steps, while the pool is working.
 * Their results are final once modfs_tree_step has returned false. */
MODFS_API modfs_tree_counts modfs_tree_result(modfs_tree *tree);

/* Stores the recorded failure with that index, from 0, and returns true; returns false beyond
 * the last one. The strings are valid until modfs_tree_close. */
MODFS_API bool modfs_tree_error_at(modfs_tree *tree, size_t index, modfs_tree_error *error);

/* Cancels the operation if it is not complete, joins its threads and frees it. In a forked child it
 * does nothing. */
MODFS_API void modfs_tree_close(modfs_tree *tree);

/* Stores the paths that match a pattern, sorted and without duplicates. The syntax is that of
 * get_matching_paths in filesystem.h; in addition a segment "**" matches any number of
 * directories, including none, but no links. A pattern with a trailing slash matches only
 * directories, and the results then end in a slash. A directory without read permission has no
 * matches. No match is OK. */
MODFS_API void modfs_glob(const modfs_fs *fs, const char *pattern, modfs_string_list *names,
                          TF_Status *status);

/* The same for the paths that a choice takes; NULL: all. The root of the choice is the directory
 * before the first segment with a wildcard. */
MODFS_API void modfs_glob_chosen(const modfs_fs *fs, const char *pattern, modfs_choice *choice,
                                 modfs_string_list *names, TF_Status *status);

/* Files --------------------------------------------------------------------- */

/* Opens a file for reading. Release it with modfs_file_close. */
MODFS_API modfs_file *modfs_file_open(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_file_close(modfs_file *file);
MODFS_API const char *modfs_file_name(const modfs_file *file); /* the path passed to open */
MODFS_API const modfs_fs *modfs_file_fs(const modfs_file *file);

/* Reads n bytes at offset into buffer, like pread(2). Returns the number of bytes read, or -1 on
 * failure. It is less than n only at the end of the file and 0 beyond it; status is OK then. */
MODFS_API int64_t modfs_file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                  TF_Status *status);

/* Returns the current length of the file with this name, or -1 on failure. For a decoded file it
 * is the decoded length. */
MODFS_API int64_t modfs_file_size(const modfs_file *file, TF_Status *status);

/* Makes a buffered reader, with a buffer of 64 KiB, at position 0. The file is borrowed and must
 * stay open. Returns NULL if memory could not be allocated. Release it with modfs_input_close. */
MODFS_API modfs_input *modfs_input_open(const modfs_file *file);
MODFS_API void modfs_input_close(modfs_input *input);

/* Makes data point to the buffered bytes, after filling the buffer if it is empty. Returns their
 * number, or 0 at the end of the file (status is OK) and on failure. */
MODFS_API size_t modfs_input_peek(modfs_input *input, const char **data, TF_Status *status);

/* Moves the position by n bytes, which must be buffered: at most the result of modfs_input_peek. */
MODFS_API void modfs_input_skip(modfs_input *input, size_t n);

/* If a whole line is buffered, makes data point to it, with its newline, moves past it and
 * returns true. The bytes are valid until the next peek or read. Never reads from the file, so
 * it cannot fail. */
MODFS_API bool modfs_input_line(modfs_input *input, const char **data, size_t *n);

/* Reads up to n bytes into buffer; large reads bypass the reader's own buffer. Returns the
 * number of bytes, 0 at the end of the file, or -1 on failure. If some bytes were read before a
 * failure, it returns their number with OK, and the next read reports the failure. */
MODFS_API int64_t modfs_input_read(modfs_input *input, char *buffer, size_t n, TF_Status *status);

/* Return and set the position, in bytes. Any position is valid. */
MODFS_API uint64_t modfs_input_tell(const modfs_input *input);
MODFS_API void modfs_input_seek(modfs_input *input, uint64_t position);

/* Writing ------------------------------------------------------------------- */

typedef enum modfs_write_mode {
  MODFS_WRITE_REPLACE = 0, /* new_writable_file */
  MODFS_WRITE_APPEND,      /* new_appendable_file */
  MODFS_WRITE_ATOMIC,      /* readers see either the old or the new content; durable */
  MODFS_WRITE_ATOMIC_FAST  /* the same, without waiting for stable storage */
} modfs_write_mode;

/* Opens a file for writing. Release it with modfs_writable_close, modfs_writable_abort or
 * modfs_writable_discard, exactly once.
 * Errors: UNIMPLEMENTED for an atomic mode if the plugin cannot replace a file atomically
 *   (open_writer of extension.h). */
MODFS_API modfs_writable *modfs_writable_open(const modfs_fs *fs, const char *path,
                                              modfs_write_mode mode, TF_Status *status);
MODFS_API const char *modfs_writable_name(const modfs_writable *writable);

/* Appends n bytes. Small writes are collected in a buffer of 64 KiB before they are passed to
 * the plugin. After a failed write every later call repeats that failure; only releasing the
 * file is then useful. */
MODFS_API void modfs_writable_append(modfs_writable *writable, const char *data, size_t n,
                                     TF_Status *status);

/* Returns the position of the next append in bytes, including buffered bytes, or -1 on failure. */
MODFS_API int64_t modfs_writable_tell(modfs_writable *writable, TF_Status *status);

/* Passes buffered bytes to the plugin; flush then makes the plugin write its own buffers, and sync
 * returns once everything is on stable storage. */
MODFS_API void modfs_writable_flush(modfs_writable *writable, TF_Status *status);
MODFS_API void modfs_writable_sync(modfs_writable *writable, TF_Status *status);

/* Writes the buffered bytes, closes the file and frees it, in any case. Reports the first
 * failure. */
MODFS_API void modfs_writable_close(modfs_writable *writable, TF_Status *status);

/* Discards what was written, keeps the old content and frees the file, if it was opened in an
 * atomic mode or if the plugin publishes a file only when it is closed (s3://). Otherwise it is
 * the same as modfs_writable_close. */
MODFS_API void modfs_writable_abort(modfs_writable *writable, TF_Status *status);

/* Releases a file that was neither closed nor aborted, for use in a finalizer: aborts it if it was
 * opened in an atomic mode, closes it otherwise. */
MODFS_API void modfs_writable_discard(modfs_writable *writable, TF_Status *status);

/* Returns the number of buffered bytes that have not been passed to the plugin yet. */
MODFS_API size_t modfs_writable_pending(const modfs_writable *writable);

/* Codecs -------------------------------------------------------------------- */

/* Returns the codec "gzip", "zlib", "deflate" (raw), "zstd" or "snappy" (TensorFlow's block
 * format), or NULL for any other name. */
MODFS_API const modfs_codec *modfs_codec_find(const char *name);

/* Iterates over the codecs: returns the first one for NULL, and NULL after the last. */
MODFS_API const modfs_codec *modfs_codec_next(const modfs_codec *codec);
MODFS_API const char *modfs_codec_name(const modfs_codec *codec);

/* Returns whether concatenated streams decode as one stream, so that a file can be appended to. */
MODFS_API bool modfs_codec_joins(const modfs_codec *codec);

/* Returns whether modfs_codec_writable accepts a compression level.
 * Errors: INVALID_ARGUMENT if not; the message gives the valid range. */
MODFS_API bool modfs_codec_has_level(const modfs_codec *codec, int64_t level, TF_Status *status);

/* Returns whether the codec was built in.
 * Errors: UNIMPLEMENTED if not; the message names the missing package. */
MODFS_API bool modfs_codec_available(const modfs_codec *codec, TF_Status *status);

/* Opens the decoded content of the file below, from offset start on, as a file. With codec NULL the
 * format is detected from the content. The result retains a reference to below, which may be
 * closed. Reading forward decodes in bounded memory; reading backward decodes from the start again;
 * the size is determined by decoding to the end. Release it with modfs_file_close.
 * Errors: DATA_LOSS if the stream is corrupt or truncated, when that part is read; the message
 *   gives the offset in below. INVALID_ARGUMENT if the format is not recognized. */
MODFS_API modfs_file *modfs_codec_file(const modfs_codec *codec, modfs_file *below, uint64_t start,
                                       TF_Status *status);

/* The same for length bytes at data, which lie inside bytes; the result retains a reference to
 * bytes. shown is the name used in messages. */
MODFS_API modfs_file *modfs_codec_bytes(const modfs_codec *codec, modfs_bytes *bytes,
                                        const char *data, size_t length, const char *shown,
                                        TF_Status *status);

/* Opens an encoder: what is appended to it is encoded and appended to below. Closing it finishes
 * the stream.
 * level: the compression level, or NULL for the codec's default.
 * owns:  true: closing or aborting the encoder does the same to below, which now belongs to it
 *        (only if the call succeeds); false: below stays open. */
MODFS_API modfs_writable *modfs_codec_writable(const modfs_codec *codec, const int *level,
                                               modfs_writable *below, bool owns, TF_Status *status);

/* Return the codec of a file or writable made by the functions above; NULL for any other. */
MODFS_API const modfs_codec *modfs_file_codec(const modfs_file *file);
MODFS_API const modfs_codec *modfs_writable_codec(const modfs_writable *writable);

/* Records: TensorFlow's TFRecord files --------------------------------------- */

/* A record; data is valid until the next call, and next is the offset of the following record. */
typedef struct modfs_record {
  const char *data;
  size_t length;
  uint64_t next;
} modfs_record;

/* Makes a reader of the records in a file, which may be a decoded one. Takes ownership of file
 * if it succeeds. All offsets are in bytes of the decoded file. Release it with
 * modfs_records_close. */
MODFS_API modfs_records *modfs_records_open(modfs_file *file, TF_Status *status);
MODFS_API void modfs_records_close(modfs_records *records);

/* Starts a read-ahead thread, which reads up to 1 MiB ahead while records are read in order. The
 * thread exists only in the process that started it, not in a forked child.
 * Errors: RESOURCE_EXHAUSTED if no thread could be started. */
MODFS_API bool modfs_records_prefetch(modfs_records *records, TF_Status *status);
MODFS_API const char *modfs_records_name(const modfs_records *records);

/* Reads the record at offset, verifies its checksums and returns true. Returns false at the end of
 * the file (status is OK) and on failure.
 * Errors: DATA_LOSS if the record is corrupt or truncated; the message gives the offset. */
MODFS_API bool modfs_records_read(modfs_records *records, uint64_t offset, modfs_record *record,
                                  TF_Status *status);

/* Skips up to n records by reading only their headers. Moves offset past them and returns their
 * number, also on failure. */
MODFS_API uint64_t modfs_records_skip(modfs_records *records, uint64_t *offset, uint64_t n,
                                      TF_Status *status);

/* Stores the offset of the record with that index, from 0, and returns true. Returns false if
 * there are fewer records (status is OK) and on failure. Scans the headers once and remembers
 * the offset of every 64th record. */
MODFS_API bool modfs_records_find(modfs_records *records, uint64_t index, uint64_t *offset,
                                  TF_Status *status);

/* Returns the number of records. If one is corrupt, returns the number of records before it, and
 * status reports it. */
MODFS_API uint64_t modfs_records_count(modfs_records *records, TF_Status *status);

/* Appends n bytes as one record, with its length and checksums. */
MODFS_API void modfs_record_append(modfs_writable *writable, const char *data, size_t n,
                                   TF_Status *status);

typedef struct modfs_salvage_gap {
  uint64_t offset;
  uint64_t length;
} modfs_salvage_gap;

enum { MODFS_SALVAGE_GAPS = 256 };

typedef struct modfs_salvage {
  uint64_t records;    /* copied records */
  uint64_t lost_bytes; /* bytes of the decoded source not copied */
  uint64_t gaps;       /* ranges of lost bytes; places has the first 256 */
  bool cut;            /* a compressed stream is corrupt and cannot be read further */
  modfs_salvage_gap places[MODFS_SALVAGE_GAPS];
} modfs_salvage;

/* Appends every intact record to the file to. Corruption of the source is not a failure; it is
 * reported in result, which is also set on failure. */
MODFS_API void modfs_records_salvage(modfs_records *records, modfs_writable *to,
                                     modfs_salvage *result, TF_Status *status);

/* Bytes --------------------------------------------------------------------- */

/* Returns the content of a file as read-only memory, usually a mapping. Release the reference with
 * modfs_bytes_drop.
 * Errors: INVALID_ARGUMENT for an empty file. */
MODFS_API modfs_bytes *modfs_region_open(const modfs_fs *fs, const char *path, TF_Status *status);

/* The same, but an empty file gives 0 bytes. A file that reports the size 0 but has content, as in
 * /proc, is read. */
MODFS_API modfs_bytes *modfs_map(const modfs_fs *fs, const char *path, TF_Status *status);

/* Allocates length bytes set to 0. Release the reference with modfs_bytes_drop. */
MODFS_API modfs_bytes *modfs_bytes_new(size_t length, TF_Status *status);
MODFS_API modfs_bytes *modfs_bytes_hold(modfs_bytes *bytes); /* adds a reference */
MODFS_API void modfs_bytes_drop(modfs_bytes *bytes);         /* drops one; the last frees it */
MODFS_API char *modfs_bytes_data(const modfs_bytes *bytes);
MODFS_API size_t modfs_bytes_length(const modfs_bytes *bytes);

/* Transactions -------------------------------------------------------------- */

/* There is one object per token, whichever function returned it. Each of the next three
 * functions returns a reference; release it with modfs_transaction_drop. Dropping the last
 * reference to an open transaction aborts it if the plugin supports that, and leaves it open
 * otherwise. */
MODFS_API modfs_transaction *modfs_transaction_start(const modfs_fs *fs, TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_get(const modfs_fs *fs, const char *path,
                                                   TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_get_or_start(const modfs_fs *fs, const char *path,
                                                            TF_Status *status);

/* Adds a path, existing or not, to the transaction; a directory includes everything below it. */
MODFS_API void modfs_transaction_add(modfs_transaction *transaction, const char *path,
                                     TF_Status *status);

/* Commit or abort the transaction; it is closed if they succeed.
 * Errors: FAILED_PRECONDITION if it is already closed. */
MODFS_API void modfs_transaction_commit(modfs_transaction *transaction, TF_Status *status);
MODFS_API void modfs_transaction_abort(modfs_transaction *transaction, TF_Status *status);
MODFS_API bool modfs_transaction_is_open(const modfs_transaction *transaction);
MODFS_API const modfs_fs *modfs_transaction_fs(const modfs_transaction *transaction);

/* Returns the plugin's description of the token. Release it with free(). */
MODFS_API char *modfs_transaction_decode(const modfs_transaction *transaction, TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_hold(modfs_transaction *transaction);
MODFS_API void modfs_transaction_drop(modfs_transaction *transaction);

#ifdef __cplusplus
}
#endif

#endif
