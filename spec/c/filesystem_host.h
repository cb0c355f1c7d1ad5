/* A host for one plugin, as small as can be: it takes the tables of one of its schemes and calls
 * them. Shared by posix_test.c and the memory_*_test.c programs, each of which takes the path of its
 * plugin. A name is passed through the plugin's translate_name, where it has one. */
#ifndef MODFS_FILESYSTEM_HOST_H
#define MODFS_FILESYSTEM_HOST_H

#include <modfs/extension.h>

#include <dlfcn.h>
#include <stdlib.h>

#include "check.h"

#define MEMBERS(array) (sizeof(array) / sizeof *(array))

static TF_FilesystemOps fs;
static TF_RandomAccessFileOps file_ops;
static TF_WritableFileOps writable_ops;
static TF_ReadOnlyMemoryRegionOps region_ops;
static const modfs_extension_ops *ext;
static const modfs_extension_ops *(*extension_of)(const char *);
static TF_FilesystemPluginInfo info;
static TF_Filesystem here;
static _Thread_local TF_Status *status;

/* The way in */

typedef void (*path_op)(const TF_Filesystem *, const char *, TF_Status *);
typedef void (*pair_op)(const TF_Filesystem *, const char *, const char *, TF_Status *);

static inline TF_Status *fresh(void) {
  if (!status) status = TF_NewStatus();
  TF_SetStatus(status, TF_OK, "");
  return status;
}

static inline char *translate(const char *uri) {
  return fs.translate_name ? fs.translate_name(&here, uri) : (char *)(uintptr_t)uri;
}

static inline void drop(char *path, const char *uri) {
  if (path != uri) info.plugin_memory_free(path);
}

static inline TF_Code on(path_op op, const char *uri) {
  char *path = translate(uri);
  op(&here, path, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline TF_Code on_two(pair_op op, const char *src, const char *dst) {
  char *from = translate(src), *to = translate(dst);
  op(&here, from, to, fresh());
  drop(from, src);
  drop(to, dst);
  return TF_GetCode(status);
}

static inline TF_Code open_file(const char *uri, TF_RandomAccessFile *file) {
  char *path = translate(uri);
  file->plugin_file = NULL;
  fs.new_random_access_file(&here, path, file, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline TF_Code open_region(const char *uri, TF_ReadOnlyMemoryRegion *region) {
  char *path = translate(uri);
  region->plugin_memory_region = NULL;
  fs.new_read_only_memory_region_from_file(&here, path, region, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

/* mode 'w' or 'a' */
static inline TF_Code open_writable(const char *uri, char mode, TF_WritableFile *file) {
  char *path = translate(uri);
  file->plugin_file = NULL;
  (mode == 'w' ? fs.new_writable_file : fs.new_appendable_file)(&here, path, file, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline TF_Code append(const TF_WritableFile *file, const char *text) {
  writable_ops.append(file, text, strlen(text), fresh());
  return TF_GetCode(status);
}

/* Closes and cleans up; the code of the close. */
static inline TF_Code finish(TF_WritableFile *file) {
  writable_ops.close(file, fresh());
  writable_ops.cleanup(file);
  return TF_GetCode(status);
}

static inline void check_closed(const TF_WritableFile *file) {
  void (*const calls[])(const TF_WritableFile *,
                        TF_Status *) = {writable_ops.close, writable_ops.flush, writable_ops.sync};
  for (size_t i = 0; i < MEMBERS(calls); i++) {
    calls[i](file, fresh());
    CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "after close: call %zu", i);
  }
  CHECK_INT(append(file, "x"), TF_FAILED_PRECONDITION, "after close: append");
  CHECK_INT(writable_ops.tell(file, fresh()), -1, "after close: tell");
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "after close: tell fails");
}

/* Appends, closes and cleans up; the code of what fails first. */
static inline TF_Code finish_with(TF_WritableFile *file, const char *text) {
  if (append(file, text) == TF_OK) return finish(file);
  writable_ops.cleanup(file);
  return TF_GetCode(status);
}

static inline TF_Code write_mode(const char *uri, char mode, const char *text) {
  TF_WritableFile file;
  TF_Code code = open_writable(uri, mode, &file);
  return code ? code : finish_with(&file, text);
}

static inline TF_Code put(const char *uri, const char *text) {
  return write_mode(uri, 'w', text);
}

static inline TF_Code put_end(const char *uri, const char *text) {
  return write_mode(uri, 'a', text);
}

static inline TF_Code make(const char *uri) {
  return on(fs.create_dir, uri);
}

static inline TF_Code exists(const char *uri) {
  return on(fs.path_exists, uri);
}

static inline TF_Code delete_tree(const char *uri, uint64_t *files, uint64_t *dirs) {
  char *path = translate(uri);
  *files = *dirs = 99;
  fs.delete_recursively(&here, path, files, dirs, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline void clear(void) {
  uint64_t files, dirs;
  delete_tree("mem://", &files, &dirs);
}

static inline TF_Code stat_of(const char *uri, TF_FileStatistics *stats) {
  char *path = translate(uri);
  fs.stat(&here, path, stats, fresh());
  drop(path, uri);
  return TF_GetCode(status);
}

static inline int64_t mtime_of(const char *uri) {
  TF_FileStatistics stats = {0};
  stat_of(uri, &stats);
  return stats.mtime_nsec;
}

/* What a file holds, or "!code"; in one static place. */
static inline const char *get(const char *uri) {
  static char text[4096];
  TF_RandomAccessFile file;
  TF_Code code = open_file(uri, &file);
  if (code) {
    snprintf(text, sizeof text, "!%d", (int)code);
    return text;
  }
  int64_t n = file_ops.read(&file, 0, sizeof text - 1, text, fresh());
  text[n < 0 ? 0 : n] = '\0';
  file_ops.cleanup(&file);
  return text;
}

static inline int list(const char *uri, char ***names) {
  char *path = translate(uri);
  *names = NULL;
  int count = fs.get_children(&here, path, names, fresh());
  drop(path, uri);
  return count;
}

static inline void free_names(char **names, int count) {
  for (int i = 0; i < count; i++)
    info.plugin_memory_free(names[i]);
  info.plugin_memory_free(names);
}

static char dumped[8192];

static inline void dump_more(const char *text) {
  strncat(dumped, text, sizeof dumped - strlen(dumped) - 1);
}

/* In the version that readers see. */
static inline bool is_directory(const char *uri) {
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  char *path = translate(uri);
  ext->lstat(&here, path, &attributes, fresh());
  drop(path, uri);
  return TF_GetCode(status) == TF_OK && attributes.kind == MODFS_KIND_DIRECTORY;
}

static inline void dump_below(const char *uri) {
  char **names, child[1024];
  int count = list(uri, &names);
  for (int i = 0; i < count; i++) {
    snprintf(child, sizeof child, "%s/%s", uri, names[i]);
    dump_more(names[i]);
    if (is_directory(child)) {
      dump_more("(");
      dump_below(child);
      dump_more(")");
    } else {
      dump_more("=");
      dump_more(get(child));
      dump_more(";");
    }
  }
  free_names(names, count < 0 ? 0 : count);
}

/* All below a directory that readers see: names in order, file=content; and dir(…). */
static inline const char *tree(const char *uri) {
  dumped[0] = '\0';
  dump_below(uri);
  return dumped;
}

/* Matches as one string, with blanks between them. */
static inline const char *glob(const char *pattern) {
  static char text[4096];
  char **names = NULL;
  int count = fs.get_matching_paths(&here, pattern, &names, fresh());
  text[0] = '\0';
  if (count < 0) snprintf(text, sizeof text, "!%d", (int)TF_GetCode(status));
  for (int i = 0; i < count; i++) {
    strncat(text, i ? " " : "", sizeof text - strlen(text) - 1);
    strncat(text, names[i], sizeof text - strlen(text) - 1);
  }
  if (count >= 0) free_names(names, count);
  return text;
}

/* Start and end */

static inline bool load(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("# %s\n", dlerror());
    return false;
  }
  void (*init)(TF_FilesystemPluginInfo *);
  *(void **)&init = dlsym(library, "TF_InitPlugin");
  *(void **)&extension_of = dlsym(library, "modfs_extension");
  if (!init || !extension_of) return false;
  init(&info);
  return true;
}

/* Copies and frees the tables of a scheme, as a host does, and starts its filesystem. */
static inline bool host_start(size_t i, const char *scheme) {
  TF_FilesystemPluginOps *ops = &info.ops[i];
  CHECK_STR(ops->scheme, scheme, "the scheme");
  CHECK_INT(ops->filesystem_ops_size, sizeof fs, "the size of the table");
  fs = *ops->filesystem_ops;
  file_ops = *ops->random_access_file_ops;
  writable_ops = *ops->writable_file_ops;
  region_ops = *ops->read_only_memory_region_ops;
  ext = extension_of(scheme);
  info.plugin_memory_free(ops->scheme);
  info.plugin_memory_free(ops->filesystem_ops);
  info.plugin_memory_free(ops->random_access_file_ops);
  info.plugin_memory_free(ops->writable_file_ops);
  info.plugin_memory_free(ops->read_only_memory_region_ops);
  if (i + 1 == info.num_schemes) info.plugin_memory_free(info.ops);
  fs.init(&here, fresh());
  return CHECK(ext && TF_GetCode(status) == TF_OK, "starts");
}

/* Loads the plugin with its schemes and starts the filesystem of the first. */
static inline bool host_open(int argc, char **argv, size_t schemes, const char *scheme) {
  if (!CHECK(argc == 2 && load(argv[1]), "loads")) return false;
  if (!CHECK_INT(info.num_schemes, schemes, "the number of schemes")) return false;
  CHECK(!extension_of("other") && !extension_of(NULL), "no other scheme has the extension");
  return host_start(0, scheme);
}

/* What a thread leaves behind. */
static inline void host_leave(void) {
  TF_DeleteStatus(status);
  status = NULL;
}

static inline void host_stop(void) {
  fs.cleanup(&here);
  CHECK(!here.plugin_filesystem, "ends");
}

/* Ends the filesystem and the test. */
static inline int host_close(void) {
  host_stop();
  host_leave();
  return check_end();
}

#endif
