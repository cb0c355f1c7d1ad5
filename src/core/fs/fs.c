/* The checked calls of a filesystem: check the arguments, make one indirect call, check the result.
 */
#include "inlined.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/path.h"

const char *modfs_fs_scheme(const modfs_fs *fs) {
  return fs->tables.scheme;
}

const modfs_plugin *modfs_fs_plugin(const modfs_fs *fs) {
  return fs->plugin;
}

const char *modfs_fs_operation_name(size_t index) {
  return tables_slot_name(index);
}

const char *modfs_fs_operation(const modfs_fs *fs, size_t index) {
  return index < MODFS_FS_OPERATIONS ? fs->origins[index] : NULL;
}

const char *modfs_fs_extension_name(size_t index) {
  return tables_extension_name(index);
}

const char *modfs_fs_extension(const modfs_fs *fs, size_t index) {
  return index < MODFS_FS_EXTENSIONS ? fs->extension_origins[index] : NULL;
}

/* Entering and leaving a plugin ---------------------------------------------- */

void fs_breach(const modfs_fs *fs, TF_Status *status, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  modfs_set_status(status, TF_INTERNAL, "the plugin %s broke its contract: %s", fs->plugin->path,
                   what);
}

bool fs_check_depth(const modfs_fs *fs, size_t depth, size_t length, TF_Status *status) {
  if (depth <= FS_DEEPEST && length <= FS_LONGEST) return true;
  modfs_set_status(
      status, TF_RESOURCE_EXHAUSTED,
      "directories of the plugin %s nest more than %d levels deep, or in paths of more "
      "than %d bytes",
      fs->plugin->path, (int)FS_DEEPEST, (int)FS_LONGEST);
  return false;
}

/* The length of the scheme that names the filesystem: of joined schemes the first. */
static size_t first_scheme(const modfs_fs *fs, const char *scheme, size_t length) {
  const char *plus = fs->joins ? memchr(scheme, '+', length) : NULL;
  return plus ? (size_t)(plus - scheme) : length;
}

bool fs_check_scheme(const modfs_fs *fs, const char *path, TF_Status *status) {
  if (!path && !status_takes(status, "the path", path)) return false;
  if (!path_may_have_scheme(path)) return true;
  modfs_path parts = modfs_path_parse(path, strlen(path));
  const char *scheme = fs->tables.scheme;
  size_t length = first_scheme(fs, parts.scheme, parts.scheme_length);
  if (length == 0 || (strncmp(parts.scheme, scheme, length) == 0 && scheme[length] == '\0'))
    return true;
  modfs_set_status(status, TF_INVALID_ARGUMENT, "the path belongs to \"%.*s\", not to \"%s\"",
                   (int)parts.scheme_length, parts.scheme, scheme);
  return false;
}

/* Replaces one scheme by another; "" is the scheme of plain paths. What is joined to it stays. */
static char *exchange_scheme(const modfs_fs *fs, const char *uri, const char *from,
                             const char *to) {
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  size_t first = first_scheme(fs, parts.scheme, parts.scheme_length);
  size_t joined = parts.scheme_length - first;
  const char *slashes = *to ? "://" : "";
  if (first != strlen(from) || strncmp(uri, from, first) != 0) return strdup(uri);
  const char *rest = *to || *parts.host ? parts.host : "/"; /* no path at all is the root */
  char *out = malloc(strlen(to) + joined + strlen(slashes) + strlen(rest) + 1);
  if (out) stpcpy(stpcpy(mempcpy(stpcpy(out, to), uri + first, joined), slashes), rest);
  return out;
}

char *fs_served_uri(const modfs_fs *fs, const char *uri) {
  return exchange_scheme(fs, uri, fs->tables.scheme, fs->served);
}

char *fs_registered_uri(const modfs_fs *fs, const char *uri) {
  return exchange_scheme(fs, uri, fs->served, fs->tables.scheme);
}

void fs_let_interrupt(const modfs_fs *fs) {
  fs->extension.accept_interruption(&fs->handle, interruption_is_wanted);
}

void fs_pass_host(const modfs_fs *fs, const modfs_host *host) {
  fs->extension.accept_host(&fs->handle, host);
}

/* The name that the plugin makes of a path. */
static const char *translate(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs->tables.fs.translate_name(&fs->handle, path);
  if (!name && fs->names_by_default)
    status_no_memory(status);
  else if (!name)
    fs_breach(fs, status, "translate_name returned NULL");
  return name;
}

const char *fs_enter(const modfs_fs *fs, const char *path, TF_Status *status) {
  status_clear(status);
  bool plain = path && !path_may_have_scheme(path);
  if (interruption_ends(status) || (!plain && !fs_check_scheme(fs, path, status))) return NULL;
  if (!fs->renamed) return fs->plain && path_is_clean(path) ? path : translate(fs, path, status);
  char *served = fs_served_uri(fs, path);
  const char *name = NULL;
  if (served)
    name = translate(fs, served, status);
  else
    status_no_memory(status);
  free(served);
  return name;
}

void fs_free_name(const modfs_fs *fs, const char *path, const char *name) {
  if (name && name != path) fs->plugin->free((void *)(size_t)name);
}

char *fs_take_text(const modfs_fs *fs, char *text, TF_Status *status) {
  char *copy = status_ok(status) ? strdup(text) : NULL;
  if (status_ok(status) && !copy) status_no_memory(status);
  fs->plugin->free(text);
  return copy;
}

void fs_leave(const modfs_fs *fs, const char *name, const char *operation, const char *path,
              TF_Status *status) {
  fs_leave_here(fs, name, operation, path, status);
}

void fs_leave_two(const modfs_fs *fs, const char *name, const char *operation, const char *src,
                  const char *dst, TF_Status *status) {
  char *both = status_ok(status) || !src || !dst ? NULL : malloc(strlen(src) + strlen(dst) + 5);
  if (both) stpcpy(stpcpy(stpcpy(both, src), " to "), dst);
  fs_free_name(fs, src, name);
  status_locate(status, operation, both ? both : src);
  free(both);
}

/* Paths ---------------------------------------------------------------------- */

void fs_create_dir(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->tables.fs.create_dir(&fs->handle, name, status);
}

static void create_private_dir(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->extension.create_private_dir(&fs->handle, name, status);
}

static void recursively_create_dir(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->tables.fs.recursively_create_dir(&fs->handle, name, status);
}

void fs_delete_file(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->tables.fs.delete_file(&fs->handle, name, status);
}

void fs_delete_dir(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->tables.fs.delete_dir(&fs->handle, name, status);
}

void fs_path_exists(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs_path_exists_here(fs, name, status);
}

typedef void (*path_call)(const modfs_fs *fs, const char *name, TF_Status *status);

static void call_with_path(const modfs_fs *fs, path_call call, const char *operation,
                           const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) call(fs, name, status);
  fs_leave(fs, name, operation, path, status);
}

void modfs_fs_create_dir(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, fs_create_dir, "create_dir", path, status);
}

void modfs_fs_create_private_dir(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, create_private_dir, "create_dir", path, status);
}

void modfs_fs_recursively_create_dir(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, recursively_create_dir, "recursively_create_dir", path, status);
}

void modfs_fs_delete_file(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, fs_delete_file, "delete_file", path, status);
}

void modfs_fs_delete_dir(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, fs_delete_dir, "delete_dir", path, status);
}

void modfs_fs_path_exists(const modfs_fs *fs, const char *path, TF_Status *status) {
  call_with_path(fs, fs_path_exists, "path_exists", path, status);
}

void modfs_fs_delete_recursively(const modfs_fs *fs, const char *path, uint64_t *undeleted_files,
                                 uint64_t *undeleted_dirs, TF_Status *status) {
  *undeleted_files = *undeleted_dirs = 0;
  const char *name = fs_enter(fs, path, status);
  if (name)
    fs->tables.fs.delete_recursively(&fs->handle, name, undeleted_files, undeleted_dirs, status);
  if (*undeleted_files > INT64_MAX || *undeleted_dirs > INT64_MAX) {
    fs_breach(fs, status, "delete_recursively reported an impossible number of remaining entries");
    *undeleted_files = *undeleted_dirs = 0;
  }
  if (status_ok(status) && (*undeleted_files || *undeleted_dirs))
    modfs_set_status(status, TF_PERMISSION_DENIED,
                     "%llu files and %llu directories could not be deleted",
                     (unsigned long long)*undeleted_files, (unsigned long long)*undeleted_dirs);
  fs_leave(fs, name, "delete_recursively", path, status);
}

static void rename_file(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status) {
  fs->tables.fs.rename_file(&fs->handle, src, dst, status);
}

void fs_copy_file(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status) {
  fs->tables.fs.copy_file(&fs->handle, src, dst, status);
}

typedef void (*two_paths_call)(const modfs_fs *fs, const char *src, const char *dst,
                               TF_Status *status);

/* Decides the cases in which plugins differ: a target that is a directory fails, and copying or
 * renaming a file onto itself does nothing. Whether to call the plugin. */
static bool settle_target(const modfs_fs *fs, const char *from, const char *to, TF_Status *status) {
  bool directory = fs_is_directory(fs, to, status);
  status_clear(status); /* any other failure is the plugin's to report */
  if (directory)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the target is a directory");
  else if (strcmp(from, to) == 0)
    fs_path_exists(fs, from, status);
  else
    return true;
  return false;
}

static void call_with_two_paths(const modfs_fs *fs, two_paths_call call, const char *operation,
                                const char *src, const char *dst, TF_Status *status) {
  const char *from = fs_enter(fs, src, status);
  const char *to = from ? fs_enter(fs, dst, status) : NULL;
  if (to && settle_target(fs, from, to, status)) call(fs, from, to, status);
  fs_free_name(fs, dst, to);
  fs_leave_two(fs, from, operation, src, dst, status);
}

void modfs_fs_rename_file(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status) {
  call_with_two_paths(fs, rename_file, "rename_file", src, dst, status);
}

void modfs_fs_copy_file(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status) {
  call_with_two_paths(fs, fs_copy_file, "copy_file", src, dst, status);
}

void fs_copy_new(const modfs_fs *fs, const char *src, const char *dst, TF_Status *status) {
  const char *from = fs_enter(fs, src, status);
  const char *to = from ? fs_enter(fs, dst, status) : NULL;
  if (to) fs_copy_file(fs, from, to, status);
  fs_free_name(fs, dst, to);
  fs_leave_two(fs, from, "copy_file", src, dst, status);
}

/* Questions ------------------------------------------------------------------ */

/* A plugin's bool may be any byte. */
static bool read_bool(const bool *from) {
  unsigned char byte;
  memcpy(&byte, from, sizeof byte);
  return byte != 0;
}

void fs_stat(const modfs_fs *fs, const char *name, TF_FileStatistics *stats, TF_Status *status) {
  TF_FileStatistics answer = {0, 0, false};
  fs->tables.fs.stat(&fs->handle, name, &answer, status);
  answer.is_directory = read_bool(&answer.is_directory);
  if (answer.is_directory && answer.length < 0) answer.length = 0; /* of a directory: meaningless */
  if (status_ok(status) && answer.length < 0)
    fs_breach(fs, status, "stat returned a length of %lld", (long long)answer.length);
  if (status_ok(status)) *stats = answer;
}

void modfs_fs_stat(const modfs_fs *fs, const char *path, TF_FileStatistics *stats,
                   TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_stat(fs, name, stats, status);
  fs_leave(fs, name, "stat", path, status);
}

bool fs_exists(const modfs_fs *fs, const char *name, TF_Status *status) {
  TF_FileStatistics stats;
  fs_path_exists(fs, name, status);
  if (TF_GetCode(status) == TF_UNIMPLEMENTED) {
    status_clear(status);
    fs_stat(fs, name, &stats, status);
  }
  return status_ok(status);
}

bool fs_stat_directory(const modfs_fs *fs, const char *name, TF_Status *status) {
  TF_FileStatistics stats = {0, 0, false};
  status_clear(status);
  fs_stat(fs, name, &stats, status);
  return stats.is_directory;
}

bool fs_is_directory(const modfs_fs *fs, const char *name, TF_Status *status) {
  bool answer = fs_ask_directory_here(fs, name, status);
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION) {
    /* Some plugins return this for a file, all for a path below a file: only the former exists. */
    TF_Status *exists = TF_NewStatus();
    if (exists && fs_exists(fs, name, exists)) status_clear(status);
    TF_DeleteStatus(exists);
    return false;
  }
  return status_ok(status) && answer;
}

bool modfs_fs_is_directory(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  bool answer = name && fs_is_directory(fs, name, status);
  fs_leave(fs, name, "is_directory", path, status);
  return answer;
}

int64_t fs_file_size(const modfs_fs *fs, const char *name, TF_Status *status) {
  int64_t size = fs->tables.fs.get_file_size(&fs->handle, name, status);
  if (status_ok(status) && size < 0)
    fs_breach(fs, status, "get_file_size returned %lld with OK", (long long)size);
  return status_ok(status) ? size : -1;
}

int64_t modfs_fs_get_file_size(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  int64_t size = name ? fs_file_size(fs, name, status) : -1;
  fs_leave(fs, name, "get_file_size", path, status);
  return size;
}

char *modfs_fs_translate_name(const modfs_fs *fs, const char *uri, TF_Status *status) {
  const char *name = fs_enter(fs, uri, status);
  char *copy = name ? strdup(name) : NULL;
  if (name && !copy) status_no_memory(status);
  fs_leave(fs, name, "translate_name", uri, status);
  return copy;
}

void modfs_fs_flush_caches(const modfs_fs *fs) {
  fs->tables.fs.flush_caches(&fs->handle);
}

static bool same_inode(const modfs_fs *a, const char *name_a, const modfs_fs *b, const char *name_b,
                       TF_Status *status) {
  modfs_attributes of_a = {.kind = MODFS_KIND_UNKNOWN}, of_b = of_a;
  fs_lstat(a, name_a, &of_a, status);
  if (status_ok(status)) fs_lstat(b, name_b, &of_b, status);
  return status_ok(status) && (of_a.inode || of_a.device) && of_a.inode == of_b.inode &&
         of_a.device == of_b.device;
}

/* Two schemes of one plugin may be the same filesystem. If they are not, it is unlikely that both
 * have the name with the same length and time. */
static bool same_statistics(const modfs_fs *a, const modfs_fs *b, const char *name,
                            TF_Status *status) {
  TF_FileStatistics of_a, of_b;
  fs_stat(a, name, &of_a, status);
  if (status_ok(status)) fs_stat(b, name, &of_b, status);
  return status_ok(status) && of_a.mtime_nsec != 0 && of_a.mtime_nsec == of_b.mtime_nsec &&
         of_a.length == of_b.length && of_a.is_directory == of_b.is_directory;
}

bool fs_same_file(const modfs_fs *a, const char *name_a, const modfs_fs *b, const char *name_b) {
  bool one_name = strcmp(name_a, name_b) == 0, same = a == b && one_name;
  TF_Status *status = same || a->plugin != b->plugin ? NULL : TF_NewStatus();
  if (!status) return same;
  if (a->tells_links && b->tells_links)
    same = same_inode(a, name_a, b, name_b, status);
  else
    same = one_name && same_statistics(a, b, name_a, status);
  TF_DeleteStatus(status);
  return same;
}

/* Many paths ----------------------------------------------------------------- */

static void delete_statuses(TF_Status **statuses, size_t count) {
  for (size_t i = 0; i < count; i++)
    TF_DeleteStatus(statuses[i]);
  free(statuses);
}

static TF_Status **new_statuses(size_t count) {
  TF_Status **statuses = calloc(count, sizeof *statuses);
  for (size_t i = 0; statuses && i < count; i++)
    if (!(statuses[i] = TF_NewStatus())) {
      delete_statuses(statuses, i);
      return NULL;
    }
  return statuses;
}

/* Enters the paths one after the other. Returns how many: fewer with a failure. */
static size_t enter_all(const modfs_fs *fs, const char *const *paths, size_t count, char **names,
                        TF_Status *status) {
  size_t entered = 0;
  while (entered < count && (names[entered] = (char *)(size_t)fs_enter(fs, paths[entered], status)))
    entered++;
  return entered;
}

static bool ask_all(const modfs_fs *fs, char **names, size_t count, TF_Code *codes,
                    TF_Status *status) {
  TF_Status **statuses = new_statuses(count);
  if (!statuses) {
    status_no_memory(status);
    return false;
  }
  bool answer = fs->tables.fs.paths_exist(&fs->handle, names, (int)count, statuses), all = true;
  for (size_t i = 0; i < count; i++) {
    TF_Code code = TF_GetCode(statuses[i]);
    all = all && code == TF_OK;
    if (codes) codes[i] = code;
  }
  if (answer != all)
    fs_breach(fs, status, "paths_exist returned %s against its own statuses",
              answer ? "true" : "false");
  delete_statuses(statuses, count);
  return all;
}

bool modfs_fs_paths_exist(const modfs_fs *fs, const char *const *paths, size_t count,
                          TF_Code *codes, TF_Status *status) {
  status_clear(status);
  if (count == 0) return true;
  if (!status_takes(status, "the list of paths", paths)) {
    status_locate(status, "paths_exist", NULL);
    return false;
  }
  char **names = count <= INT_MAX ? calloc(count, sizeof *names) : NULL;
  if (!names) status_no_memory(status);
  size_t entered = names ? enter_all(fs, paths, count, names, status) : 0;
  bool all = entered == count && ask_all(fs, names, count, codes, status);
  status_locate(status, "paths_exist", entered < count ? paths[entered] : paths[0]);
  for (size_t i = 0; i < entered; i++)
    fs_free_name(fs, paths[i], names[i]);
  free(names);
  return status_ok(status) && all;
}
