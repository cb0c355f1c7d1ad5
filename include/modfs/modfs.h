/* The core for hosts: filesystems, files and plugins, without Lua.
 *
 * Rules for everything below:
 *   - A path is a plain path or a URI; a URI given to a function of a filesystem must carry that
 *     filesystem's scheme (INVALID_ARGUMENT otherwise). Bytes, NUL-terminated.
 *   - A function sets status OK first. On failure the message reads "operation path: what happened",
 *     in one line of at most 4 KiB without control characters, and outputs are left alone.
 *   - A plugin that breaks its contract yields INTERNAL, and the message names the plugin.
 *   - Units are bytes and nanoseconds.
 *   - Threads: any at once for filesystems, files, bytes, plugins and transactions; a modfs_writable,
 *     modfs_input, modfs_listing, modfs_walk or modfs_tree is for one thread at a time.
 *   - Owns: what a function returns as a non-const pointer is the caller's, who ends it with the
 *     function named there; const pointers are borrowed. Ends (close, free, drop) take NULL.
 *   - After fork, in the child, a modfs_writable of the parent answers FAILED_PRECONDITION and its
 *     end does not reach the plugin: what the parent buffered is the parent's to write. */
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

typedef struct modfs_fs modfs_fs;                   /* a registered filesystem; lives for ever */
typedef struct modfs_plugin modfs_plugin;           /* a loaded plugin; lives for ever */
typedef struct modfs_file modfs_file;               /* a file open for reading */
typedef struct modfs_input modfs_input;             /* a buffered reading position in a file */
typedef struct modfs_writable modfs_writable;       /* a file open for writing */
typedef struct modfs_bytes modfs_bytes;             /* counted references to a block of bytes */
typedef struct modfs_transaction modfs_transaction; /* counted references to one token */
typedef struct modfs_listing modfs_listing;         /* an iteration over a directory */
typedef struct modfs_codec modfs_codec;             /* a way to compress; lives for ever */
typedef struct modfs_tree modfs_tree;               /* an operation on a tree */
typedef struct modfs_walk modfs_walk;               /* a visit of each directory of a tree */
typedef struct modfs_records modfs_records;         /* a file of records, open for reading */

/* Start --------------------------------------------------------------------- */

/* Makes "", file and mem known, from the plugins folder beside the file that holds this code.
 * Call it before anything else; the second call and later ones only repeat the answer. */
MODFS_API void modfs_start(TF_Status *status);

/* The folder of the shipped plugins, without a slash at its end. */
MODFS_API const char *modfs_plugin_folder(void);

/* The name of a code without TF_: "OK", "NOT_FOUND", …; "UNKNOWN" for a number that is none. */
MODFS_API const char *modfs_code_name(TF_Code code);

/* Sets code and a printf message; nothing else is changed. */
MODFS_API void modfs_set_status(TF_Status *status, TF_Code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Strings ------------------------------------------------------------------- */

/* A list of strings. Owns: end with modfs_names_fini. */
typedef struct modfs_names {
  size_t count;
  char **items;
} modfs_names;

MODFS_API void modfs_names_fini(modfs_names *names);
MODFS_API void modfs_names_sort(modfs_names *names); /* by bytes */

/* The parts of a URI, as views into it; a plain path has an empty scheme and host. */
typedef struct modfs_path {
  const char *scheme;
  size_t scheme_length;
  const char *host;
  size_t host_length;
  const char *path;
  size_t path_length;
} modfs_path;

/* Splits; the grammar is TensorFlow's ParseURI: a letter, then letters, digits, dots, then "://". */
MODFS_API modfs_path modfs_path_parse(const char *uri, size_t length);

/* The following return a new string; end with free(). NULL when memory is short. */
MODFS_API char *modfs_path_clean(const char *path);                   /* no //, . or ..; by text */
MODFS_API char *modfs_path_join(const char *left, const char *right); /* one slash between */
MODFS_API char *modfs_path_dirname(const char *uri);  /* scheme and host stay; "" without a slash */
MODFS_API char *modfs_path_basename(const char *uri); /* what follows the last slash of the path */
MODFS_API char *modfs_path_extension(const char *uri); /* what follows its last dot, or "" */

/* Whether name matches a pattern of the language in filesystem.h, in which a segment "**" is no or any
 * number of segments, but at the end at least one; linear in length of both. */
MODFS_API bool modfs_glob_match(const char *name, const char *pattern);
/* The pattern that matches exactly s. Owns: free(). */
MODFS_API char *modfs_glob_escape(const char *s);

/* Plugins ------------------------------------------------------------------- */

/* What a plugin declared for one of its tables; size 0: it has none. */
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

/* Loads a plugin file and registers its schemes: all of them, or none. The same file (device, inode
 * and symbol) twice is the same plugin. A relative path is relative to the working directory; the
 * dynamic loader's own search is never used.
 * symbol: another name for TF_InitPlugin, or NULL. trust: skip the check of owners and permissions.
 * Errors: NOT_FOUND (no file, no entry symbol, a dependency or symbol missing),
 *   PERMISSION_DENIED (others may write the file or a folder above it), FAILED_PRECONDITION (not a
 *   loadable object, another ABI, a required slot empty), INVALID_ARGUMENT (a bad scheme or table),
 *   ALREADY_EXISTS (a scheme is taken). */
MODFS_API const modfs_plugin *modfs_plugin_load(const char *file, const char *symbol, bool trust,
                                                TF_Status *status);

/* The scheme of a plugin that is to be registered under another name. */
typedef struct modfs_renaming {
  const char *scheme, *as;
} modfs_renaming;

/* As modfs_plugin_load, with one filesystem of the plugin alone, under another scheme: for tests of a
 * plugin whose scheme is taken. The plugin sees its own in URIs. renaming NULL: as modfs_plugin_load. */
MODFS_API const modfs_plugin *modfs_plugin_load_as(const char *file, const char *symbol, bool trust,
                                                   const modfs_renaming *renaming,
                                                   TF_Status *status);

/* The plugins in the order in which they were loaded: NULL gives the first, the last gives NULL. */
MODFS_API const modfs_plugin *modfs_plugin_next(const modfs_plugin *plugin);

MODFS_API const char *modfs_plugin_path(const modfs_plugin *plugin); /* canonical */
MODFS_API size_t modfs_plugin_scheme_count(const modfs_plugin *plugin);
MODFS_API const char *modfs_plugin_scheme(const modfs_plugin *plugin, size_t index);
/* For people; NULL where the plugin does not tell. */
MODFS_API const char *modfs_plugin_author(const modfs_plugin *plugin);
MODFS_API const char *modfs_plugin_version(const modfs_plugin *plugin);
MODFS_API const char *modfs_plugin_url(const modfs_plugin *plugin);
/* What it declared for its first scheme. */
MODFS_API modfs_version modfs_plugin_table(const modfs_plugin *plugin, modfs_table table);
/* Warnings of the load (an API number that differs), one a line; NULL when there were none. */
MODFS_API const char *modfs_plugin_warning(const modfs_plugin *plugin);

/* Filesystems --------------------------------------------------------------- */

/* The filesystem of a scheme, or NULL. Never takes a lock. */
MODFS_API const modfs_fs *modfs_fs_find(const char *scheme, size_t length);

/* The filesystem of a path's scheme, or NULL. Never takes a lock. */
MODFS_API const modfs_fs *modfs_fs_of(const char *path);

/* As modfs_fs_of, and loads a plugin for an unknown scheme: plugin_path holds templates separated by
 * semicolons, in which ? stands for the scheme. operation is what a failure's message begins with.
 * Errors: UNIMPLEMENTED, naming the registered schemes, the nearest one and where it looked. */
MODFS_API const modfs_fs *modfs_fs_search(const char *path, const char *plugin_path,
                                          const char *operation, TF_Status *status);

/* The filesystems in the order of registration: NULL gives the first, the last gives NULL. */
MODFS_API const modfs_fs *modfs_fs_next(const modfs_fs *fs);

MODFS_API const char *modfs_fs_scheme(const modfs_fs *fs);
MODFS_API const modfs_plugin *modfs_fs_plugin(const modfs_fs *fs);

/* Slot index (0 … MODFS_FS_OPERATIONS - 1, the ABI's order): its name, and who fills it:
 * "plugin", "default" or "missing". NULL past the end. */
enum { MODFS_FS_OPERATIONS = 33 };
MODFS_API const char *modfs_fs_operation_name(size_t index);
MODFS_API const char *modfs_fs_operation(const modfs_fs *fs, size_t index);

/* The same of the slots of modfs_extension_ops. */
enum { MODFS_FS_EXTENSIONS = 14 };
MODFS_API const char *modfs_fs_extension_name(size_t index);
MODFS_API const char *modfs_fs_extension(const modfs_fs *fs, size_t index);

/* One function for each slot of TF_FilesystemOps, with the contract of filesystem.h. */
MODFS_API void modfs_fs_create_dir(const modfs_fs *fs, const char *path, TF_Status *status);
/* The same, for its owner alone where the filesystem can say so: create_private_dir. */
MODFS_API void modfs_fs_create_private_dir(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_fs_recursively_create_dir(const modfs_fs *fs, const char *path,
                                               TF_Status *status);
MODFS_API void modfs_fs_delete_file(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_fs_delete_dir(const modfs_fs *fs, const char *path, TF_Status *status);
/* Here, and here only, the outputs are set on failure, too. */
MODFS_API void modfs_fs_delete_recursively(const modfs_fs *fs, const char *path,
                                           uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                           TF_Status *status);
MODFS_API void modfs_fs_rename_file(const modfs_fs *fs, const char *src, const char *dst,
                                    TF_Status *status);
MODFS_API void modfs_fs_copy_file(const modfs_fs *fs, const char *src, const char *dst,
                                  TF_Status *status);
MODFS_API void modfs_fs_path_exists(const modfs_fs *fs, const char *path, TF_Status *status);
/* codes: count of them, or NULL. status tells whether the question could be asked at all. */
MODFS_API bool modfs_fs_paths_exist(const modfs_fs *fs, const char *const *paths, size_t count,
                                    TF_Code *codes, TF_Status *status);
MODFS_API void modfs_fs_stat(const modfs_fs *fs, const char *path, TF_FileStatistics *stats,
                             TF_Status *status);
/* Of the entry itself, not of what a link leads to, where the plugin can tell the two apart. */
MODFS_API void modfs_fs_lstat(const modfs_fs *fs, const char *path, modfs_attributes *attributes,
                              TF_Status *status);
/* A file is false with OK here, whichever way its plugin says so. */
MODFS_API bool modfs_fs_is_directory(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API int64_t modfs_fs_get_file_size(const modfs_fs *fs, const char *path, TF_Status *status);
/* Owns: free(). */
MODFS_API char *modfs_fs_translate_name(const modfs_fs *fs, const char *uri, TF_Status *status);
/* Bare names, in the plugin's order. */
MODFS_API void modfs_fs_get_children(const modfs_fs *fs, const char *path, modfs_names *names,
                                     TF_Status *status);
MODFS_API void modfs_fs_get_matching_paths(const modfs_fs *fs, const char *pattern,
                                           modfs_names *names, TF_Status *status);
MODFS_API void modfs_fs_flush_caches(const modfs_fs *fs);

/* Copies or renames between two filesystems (or within one); on failure dst is as it was wherever
 * its filesystem can replace a file in one step. Onto itself: OK, nothing changes. */
MODFS_API void modfs_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                          const char *dst, TF_Status *status);
MODFS_API void modfs_rename(const modfs_fs *from, const char *src, const modfs_fs *to,
                            const char *dst, TF_Status *status);

/* Called on the copying thread, after each piece and last with done == total, before the copy stands
 * at dst; it may use the status of the copy. False: CANCELLED, and no part of the copy stays at dst. */
typedef struct modfs_copy_progress {
  bool (*tell)(void *context, uint64_t done, uint64_t total);
  void *context;
} modfs_copy_progress;

/* As modfs_copy. What a filesystem copies by itself, and a file onto itself, is told of once, when all
 * is done: false is too late then. */
MODFS_API void modfs_copy_with(const modfs_fs *from, const char *src, const modfs_fs *to,
                               const char *dst, const modfs_copy_progress *progress,
                               TF_Status *status);

/* Options ------------------------------------------------------------------- */

/* A list of options in the ABI's form. Owns: end with modfs_options_fini. */
typedef struct modfs_options {
  size_t count;
  TF_Filesystem_Option *items;
} modfs_options;

MODFS_API void modfs_options_fini(modfs_options *options);
MODFS_API void modfs_fs_get_configuration(const modfs_fs *fs, modfs_options *options,
                                          TF_Status *status);
MODFS_API void modfs_fs_set_configuration(const modfs_fs *fs, const modfs_options *options,
                                          TF_Status *status);
/* options gets the one. */
MODFS_API void modfs_fs_get_configuration_option(const modfs_fs *fs, const char *key,
                                                 modfs_options *options, TF_Status *status);
MODFS_API void modfs_fs_set_configuration_option(const modfs_fs *fs,
                                                 const TF_Filesystem_Option *option,
                                                 TF_Status *status);
MODFS_API void modfs_fs_get_configuration_keys(const modfs_fs *fs, modfs_names *keys,
                                               TF_Status *status);

/* Directories --------------------------------------------------------------- */

typedef struct modfs_entry {
  const char *name; /* bare; lives until the next call on the listing */
  int kind;         /* a modfs_kind of extension.h; UNKNOWN where the plugin does not tell */
} modfs_entry;

/* Iterates in constant memory where the plugin's extension does. End with modfs_listing_close. */
MODFS_API modfs_listing *modfs_listing_open(const modfs_fs *fs, const char *path,
                                            TF_Status *status);
/* false at the end and on failure. */
MODFS_API bool modfs_listing_next(modfs_listing *listing, modfs_entry *entry, TF_Status *status);
MODFS_API void modfs_listing_close(modfs_listing *listing);

/* Trees --------------------------------------------------------------------- */

/* A walk, directory by directory; a link is no directory, wherever it leads. Names are in the order
 * of their bytes. No descriptor is held between two calls. End with modfs_walk_close.
 * Errors: those of modfs_listing_open for path itself. */
MODFS_API modfs_walk *modfs_walk_open(const modfs_fs *fs, const char *path, bool bottomup,
                                      TF_Status *status);
/* The next directory: true, and the following tell of it until the next call. False at the end, and
 * with a failure for a directory that cannot be listed: the walk may go on then. */
MODFS_API bool modfs_walk_next(modfs_walk *walk, TF_Status *status);
MODFS_API const char *modfs_walk_path(const modfs_walk *walk); /* after a failure, too */
MODFS_API size_t modfs_walk_folder_count(const modfs_walk *walk);
MODFS_API const char *modfs_walk_folder(const modfs_walk *walk, size_t index);
MODFS_API size_t modfs_walk_file_count(const modfs_walk *walk);
MODFS_API const char *modfs_walk_file(const modfs_walk *walk, size_t index);
/* Top-down only: the walk goes on into these instead of the directories it told of. */
MODFS_API void modfs_walk_into(modfs_walk *walk, const char *const *names, size_t count,
                               TF_Status *status);
MODFS_API void modfs_walk_close(modfs_walk *walk);

/* What may be asked of the operations below; zero is the default of each. */
typedef struct modfs_tree_options {
  size_t threads; /* at once; 0: the greater of cores and in_flight, 1: the caller's alone */
  bool progress;  /* step returns after each file; else it returns at the end */
  bool deletes;   /* sync: what the source has not goes */
  bool checksum;  /* sync: content decides, not length and time */
  bool dry_run;   /* sync: nothing is changed */
} modfs_tree_options;

/* What was done so far. */
typedef struct modfs_tree_counts {
  uint64_t files; /* counted, copied or deleted */
  uint64_t dirs;
  uint64_t bytes;
  uint64_t kept;       /* sync: files that were the same */
  uint64_t deleted;    /* sync: files and directories */
  uint64_t left_files; /* delete: what could not be */
  uint64_t left_dirs;
  uint64_t done; /* with progress: bytes of files that are dealt with, and of all */
  uint64_t total;
  uint64_t lost_errors; /* failures that found no memory to be kept in */
} modfs_tree_counts;

typedef struct modfs_tree_error {
  const char *path;
  const char *message; /* "operation path: what happened" */
  TF_Code code;
} modfs_tree_error;

typedef struct modfs_tree_event {
  uint64_t done;
  uint64_t total;
  const char *path; /* of the file that is done; lives until the next step */
} modfs_tree_event;

/* Each of these prepares an operation that modfs_tree_step does. A failure below the root is kept and
 * does not stop it. Links below the root are never followed into a directory; a copy has what a link
 * to a file leads to. Threads are started when there is work for them, and have ended when
 * modfs_tree_close returns. End with modfs_tree_close, at any time. */

/* Counts what is there; a link is a file of no bytes. */
MODFS_API modfs_tree *modfs_tree_measure(const modfs_fs *fs, const char *path,
                                         const modfs_tree_options *options, TF_Status *status);
/* Deletes the tree, or a single file. */
MODFS_API modfs_tree *modfs_tree_delete(const modfs_fs *fs, const char *path,
                                        const modfs_tree_options *options, TF_Status *status);
/* Copies it; what dst has beyond it stays.
 * Errors: NOT_FOUND for src, FAILED_PRECONDITION for a dst that is of the other kind,
 *   INVALID_ARGUMENT when dst is src or lies in it. */
MODFS_API modfs_tree *modfs_tree_copy(const modfs_fs *from, const char *src, const modfs_fs *to,
                                      const char *dst, const modfs_tree_options *options,
                                      TF_Status *status);
/* Makes dst like src, copying only what differs.
 * Errors: as above; also INVALID_ARGUMENT for deleting in a dst that src lies in. */
MODFS_API modfs_tree *modfs_tree_sync(const modfs_fs *from, const char *src, const modfs_fs *to,
                                      const char *dst, const modfs_tree_options *options,
                                      TF_Status *status);

/* Works on; true with an event, false when all is done. FAILED_PRECONDITION in a forked child. */
MODFS_API bool modfs_tree_step(modfs_tree *tree, modfs_tree_event *event, TF_Status *status);
/* Nothing more is begun; step as before until it returns false. */
MODFS_API void modfs_tree_cancel(modfs_tree *tree);
MODFS_API bool modfs_tree_was_cancelled(const modfs_tree *tree);
/* Both may be called between steps, while threads work; they are complete once step has returned
 * false. */
MODFS_API modfs_tree_counts modfs_tree_result(modfs_tree *tree);
/* The failure of that index, from 0; false beyond the last one. Its strings live until the close. */
MODFS_API bool modfs_tree_error_at(modfs_tree *tree, size_t index, modfs_tree_error *error);
MODFS_API void modfs_tree_close(modfs_tree *tree);

/* The paths that match a pattern, sorted, each once. The language is that of filesystem.h, and a
 * segment "**" is any number of directories, none too; links are not among those. A pattern that ends
 * in a slash matches directories alone, and its results end in one.
 * A directory that may not be read has no matches. */
MODFS_API void modfs_glob(const modfs_fs *fs, const char *pattern, modfs_names *names,
                          TF_Status *status);

/* Files --------------------------------------------------------------------- */

/* End with modfs_file_close. */
MODFS_API modfs_file *modfs_file_open(const modfs_fs *fs, const char *path, TF_Status *status);
MODFS_API void modfs_file_close(modfs_file *file);
MODFS_API const char *modfs_file_name(const modfs_file *file); /* the path as it was given */
MODFS_API const modfs_fs *modfs_file_fs(const modfs_file *file);
/* Reads n bytes at offset; returns how many came, fewer at the end of the file (0 past it), and -1
 * on failure. The end is no failure: status is OK then. */
MODFS_API int64_t modfs_file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                  TF_Status *status);
/* The length by the file's name. */
MODFS_API int64_t modfs_file_size(const modfs_file *file, TF_Status *status);

/* A position with a buffer of 64 KiB, taken at the first read. Borrows the file.
 * End with modfs_input_close. NULL when memory is short. */
MODFS_API modfs_input *modfs_input_open(const modfs_file *file);
MODFS_API void modfs_input_close(modfs_input *input);
/* Points data at what is buffered, reading more when nothing is; returns its length, 0 at the end
 * and on failure. */
MODFS_API size_t modfs_input_peek(modfs_input *input, const char **data, TF_Status *status);
MODFS_API void modfs_input_skip(modfs_input *input, size_t n); /* n <= what peek returned */
/* Takes a line with its newline when it is buffered whole; data is good until the next peek or read.
 * Asks nobody, so nothing can fail. */
MODFS_API bool modfs_input_line(modfs_input *input, const char **data, size_t *n);
/* Copies up to n bytes; large rests go straight into buffer. Returns how many, -1 on failure. */
MODFS_API int64_t modfs_input_read(modfs_input *input, char *buffer, size_t n, TF_Status *status);
MODFS_API uint64_t modfs_input_tell(const modfs_input *input);
MODFS_API void modfs_input_seek(modfs_input *input, uint64_t position);

/* Writing ------------------------------------------------------------------- */

typedef enum modfs_write_mode {
  MODFS_WRITE_REPLACE = 0, /* new_writable_file */
  MODFS_WRITE_APPEND,      /* new_appendable_file */
  MODFS_WRITE_ATOMIC,      /* readers see the old or the new content, never a mix; durable */
  MODFS_WRITE_ATOMIC_FAST  /* the same without waiting for the storage */
} modfs_write_mode;

/* Atomic modes are UNIMPLEMENTED where the plugin's extension cannot replace a file.
 * End with modfs_writable_close or modfs_writable_abort, exactly once. */
MODFS_API modfs_writable *modfs_writable_open(const modfs_fs *fs, const char *path,
                                              modfs_write_mode mode, TF_Status *status);
MODFS_API const char *modfs_writable_name(const modfs_writable *writable);
/* Small pieces are gathered (64 KiB) before they reach the plugin. After a failed write every later
 * call but the end repeats that failure. */
MODFS_API void modfs_writable_append(modfs_writable *writable, const char *data, size_t n,
                                     TF_Status *status);
MODFS_API int64_t modfs_writable_tell(modfs_writable *writable, TF_Status *status);
MODFS_API void modfs_writable_flush(modfs_writable *writable, TF_Status *status);
MODFS_API void modfs_writable_sync(modfs_writable *writable, TF_Status *status);
/* Writes what is gathered, closes, and frees, whatever happens; reports the first failure. */
MODFS_API void modfs_writable_close(modfs_writable *writable, TF_Status *status);
/* Leaves the old content and frees: of an atomic file, and where the plugin publishes what is complete
 * (s3://). Any other: as close. */
MODFS_API void modfs_writable_abort(modfs_writable *writable, TF_Status *status);
/* Ends what nobody closed: an atomic file is aborted, any other closed. */
MODFS_API void modfs_writable_forget(modfs_writable *writable, TF_Status *status);
/* Bytes gathered and not yet handed to the plugin. */
MODFS_API size_t modfs_writable_pending(const modfs_writable *writable);

/* Codecs -------------------------------------------------------------------- */

/* "gzip", "zlib", "deflate" (raw), "zstd" or "snappy" (TensorFlow's blocks); NULL for other names. */
MODFS_API const modfs_codec *modfs_codec_find(const char *name);
/* NULL gives the first, the last gives NULL. */
MODFS_API const modfs_codec *modfs_codec_next(const modfs_codec *codec);
MODFS_API const char *modfs_codec_name(const modfs_codec *codec);
/* Whether streams one behind another are one stream, so that "a" can continue a file. */
MODFS_API bool modfs_codec_joins(const modfs_codec *codec);
/* Whether modfs_codec_writable takes that level; INVALID_ARGUMENT, with those it takes, if not. */
MODFS_API bool modfs_codec_has_level(const modfs_codec *codec, int64_t level, TF_Status *status);
/* Whether it is built in; UNIMPLEMENTED, naming the missing package, otherwise. */
MODFS_API bool modfs_codec_available(const modfs_codec *codec, TF_Status *status);

/* What the bytes of a file from start on decode to, as a file; codec NULL: by its content. Takes a
 * reference of its own: the file below may be closed. Reading forward decodes in bounded memory,
 * reading backwards starts anew, and the size is found by reading to the end.
 * Errors: DATA_LOSS, with the offset below, where the stream is damaged or cut off; INVALID_ARGUMENT
 *   when the content is of no known kind. */
MODFS_API modfs_file *modfs_codec_file(const modfs_codec *codec, modfs_file *below, uint64_t start,
                                       TF_Status *status);
/* The same over length bytes at data, which lie in bytes. */
MODFS_API modfs_file *modfs_codec_bytes(const modfs_codec *codec, modfs_bytes *bytes,
                                        const char *data, size_t length, const char *shown,
                                        TF_Status *status);
/* A writable whose close ends the stream. level: NULL for the usual one. owns: its end is that of
 * the one below, too (on failure here nothing of that happens); else that one stays open. */
MODFS_API modfs_writable *modfs_codec_writable(const modfs_codec *codec, const int *level,
                                               modfs_writable *below, bool owns, TF_Status *status);
/* Which codec it decodes or encodes; NULL for any other. */
MODFS_API const modfs_codec *modfs_file_codec(const modfs_file *file);
MODFS_API const modfs_codec *modfs_writable_codec(const modfs_writable *writable);

/* Records: TensorFlow's TFRecord files --------------------------------------- */

/* One that was read: its data lives until the next call, and the next record is at next. */
typedef struct modfs_record {
  const char *data;
  size_t length;
  uint64_t next;
} modfs_record;

/* Reads records of a file, plain or decoded, whose reference it takes over when it succeeds; one
 * thread at a time. Offsets are bytes of the file, decoded. End with modfs_records_close. */
MODFS_API modfs_records *modfs_records_open(modfs_file *file, TF_Status *status);
MODFS_API void modfs_records_close(modfs_records *records);
/* From now on a thread reads up to 1 MiB ahead while records are read in order; it belongs to the
 * process that began it. RESOURCE_EXHAUSTED when there is none to have. */
MODFS_API bool modfs_records_prefetch(modfs_records *records, TF_Status *status);
MODFS_API const char *modfs_records_name(const modfs_records *records);
/* The record at offset, its checksums looked at. false at the end of the file (status is OK) and on
 * failure. Errors: DATA_LOSS, naming the offset, where it is damaged or cut off. */
MODFS_API bool modfs_records_read(modfs_records *records, uint64_t offset, modfs_record *record,
                                  TF_Status *status);
/* Passes n records by their headers; returns how many there were, and moves offset behind them. */
MODFS_API uint64_t modfs_records_skip(modfs_records *records, uint64_t *offset, uint64_t n,
                                      TF_Status *status);
/* The offset of record index, from 0; false when there are fewer (status is OK) and on failure.
 * Passes over the headers once, and keeps the place of each 64th. */
MODFS_API bool modfs_records_find(modfs_records *records, uint64_t index, uint64_t *offset,
                                  TF_Status *status);
/* How many there are, up to the first that is damaged: then status says so. */
MODFS_API uint64_t modfs_records_count(modfs_records *records, TF_Status *status);
MODFS_API void modfs_record_append(modfs_writable *writable, const char *data, size_t n,
                                   TF_Status *status);

typedef struct modfs_salvage_gap {
  uint64_t offset;
  uint64_t length;
} modfs_salvage_gap;

enum { MODFS_SALVAGE_GAPS = 256 };

typedef struct modfs_salvage {
  uint64_t records;    /* that were copied */
  uint64_t lost_bytes; /* of the source, decoded */
  uint64_t gaps;       /* runs of lost bytes; the first of them are in places */
  bool cut;            /* a compressed stream is damaged, and nothing behind that can be read */
  modfs_salvage_gap places[MODFS_SALVAGE_GAPS];
} modfs_salvage;

/* Appends every record that is sound. Damage is no failure, and is told of in result. */
MODFS_API void modfs_records_salvage(modfs_records *records, modfs_writable *to,
                                     modfs_salvage *result, TF_Status *status);

/* Bytes --------------------------------------------------------------------- */

/* The content of a file as memory, not to be written to. One reference; end with modfs_bytes_drop.
 * Errors: INVALID_ARGUMENT for an empty file. */
MODFS_API modfs_bytes *modfs_region_open(const modfs_fs *fs, const char *path, TF_Status *status);
/* The same; an empty file is 0 bytes, and one whose size of 0 tells nothing is read. */
MODFS_API modfs_bytes *modfs_map(const modfs_fs *fs, const char *path, TF_Status *status);
/* length zero bytes on the heap. One reference. RESOURCE_EXHAUSTED when memory is short. */
MODFS_API modfs_bytes *modfs_bytes_new(size_t length, TF_Status *status);
MODFS_API modfs_bytes *modfs_bytes_hold(modfs_bytes *bytes); /* one reference more */
MODFS_API void modfs_bytes_drop(modfs_bytes *bytes);         /* one reference less; frees at none */
MODFS_API char *modfs_bytes_data(const modfs_bytes *bytes);
MODFS_API size_t modfs_bytes_length(const modfs_bytes *bytes);

/* Transactions -------------------------------------------------------------- */

/* One token is one object, whichever function found it. Each of the three returns a reference;
 * end with modfs_transaction_drop: the last reference to an open one aborts it where the plugin
 * can, and leaves it open where it cannot. */
MODFS_API modfs_transaction *modfs_transaction_start(const modfs_fs *fs, TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_get(const modfs_fs *fs, const char *path,
                                                   TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_get_or_start(const modfs_fs *fs, const char *path,
                                                            TF_Status *status);
MODFS_API void modfs_transaction_add(modfs_transaction *transaction, const char *path,
                                     TF_Status *status);
/* The next two end it when they succeed; used on an ended one they are FAILED_PRECONDITION. */
MODFS_API void modfs_transaction_commit(modfs_transaction *transaction, TF_Status *status);
MODFS_API void modfs_transaction_abort(modfs_transaction *transaction, TF_Status *status);
MODFS_API bool modfs_transaction_is_open(const modfs_transaction *transaction);
MODFS_API const modfs_fs *modfs_transaction_fs(const modfs_transaction *transaction);
/* The plugin's words for the token. Owns: free(). */
MODFS_API char *modfs_transaction_decode(const modfs_transaction *transaction, TF_Status *status);
MODFS_API modfs_transaction *modfs_transaction_hold(modfs_transaction *transaction);
MODFS_API void modfs_transaction_drop(modfs_transaction *transaction);

#ifdef __cplusplus
}
#endif

#endif
