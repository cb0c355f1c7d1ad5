/* Faults of directories, renaming, copying, questions, lists and names. */
#include "mutant.h"

#include <stdio.h>
#include <stdlib.h>

#define SET(code) TF_SetStatus(status, code, "as a fault")

static void as_not_found(TF_Status *status) {
  if (TF_GetCode(status) == TF_FAILED_PRECONDITION) SET(TF_NOT_FOUND);
}

/* Directories -------------------------------------------------------------------- */

PATH_CALL(mkdir_over_file, if (!mutant_is_file(fs, path)) good.create_dir(fs, path, status))
PATH_CALL(mkdir_twice, if (!mutant_is_directory(fs, path)) good.create_dir(fs, path, status))
PATH_CALL(mkdir_parents,
          if (mutant_is_directory(fs, path) || mutant_is_file(fs, path)) SET(TF_ALREADY_EXISTS);
          else good.recursively_create_dir(fs, path, status))
PATH_CALL(mkdirs_once, if (mutant_is_directory(fs, path)) SET(TF_ALREADY_EXISTS);
          else good.recursively_create_dir(fs, path, status))
PATH_CALL(mkdirs_empties, TF_Status *ignored = TF_NewStatus(); uint64_t files, dirs;
          if (mutant_is_directory(fs, path))
              good.delete_recursively(fs, path, &files, &dirs, ignored);
          TF_DeleteStatus(ignored); good.recursively_create_dir(fs, path, status))

/* No way out for a path without a parent. */
static int endless(FS, const char *path, TF_Status *status, int depth) {
  if (depth < 0) return 0;
  char parent[4096];
  snprintf(parent, sizeof parent, "%s", path);
  char *slash = strrchr(parent, '/');
  if (slash) *slash = '\0';
  int levels = depth + 1 + endless(fs, parent, status, depth + 1);
  good.create_dir(fs, path, status);
  return levels + parent[0];
}

static void mkdirs_endless(FS, const char *path, TF_Status *status) {
  endless(fs, path, status, 0);
}

PATH_CALL(remove_missing, good.delete_file(fs, path, status);
          if (TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, ""))
PATH_CALL(remove_directory, if (mutant_is_directory(fs, path)) good.delete_dir(fs, path, status);
          else good.delete_file(fs, path, status))
PATH_CALL(remove_invalid, good.delete_file(fs, path, status);
          if (!mutant_is_directory(fs, path)) as_not_found(status))
PATH_CALL(rmdir_file, if (mutant_is_file(fs, path)) good.delete_file(fs, path, status);
          else good.delete_dir(fs, path, status))
PATH_CALL(rmdir_full, uint64_t files, dirs;
          if (mutant_is_directory(fs, path))
              good.delete_recursively(fs, path, &files, &dirs, status);
          else good.delete_dir(fs, path, status))

#define DELETE_TREE(name, ...)                                                                     \
  static void name(FS, const char *path, uint64_t *files, uint64_t *dirs, TF_Status *status) {     \
    good.delete_recursively(fs, path, files, dirs, status);                                        \
    __VA_ARGS__;                                                                                   \
  }
DELETE_TREE(rmtree_no_count, *files = *dirs = 0)
DELETE_TREE(rmtree_counts, *files += 1)
DELETE_TREE(rmtree_missing, if (TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
            *files = *dirs = 0)

static void rmtree_beside(FS, const char *path, uint64_t *files, uint64_t *dirs,
                          TF_Status *status) {
  char beside[4096];
  size_t length = strlen(path);
  good.delete_recursively(fs, path, files, dirs, status);
  if (length + 2 > sizeof beside) return;
  memcpy(beside, path, length);
  memcpy(beside + length, "b", 2);
  TF_Status *ignored = TF_NewStatus();
  good.delete_file(fs, beside, ignored);
  TF_DeleteStatus(ignored);
}

/* Renaming and copying ----------------------------------------------------------- */

PAIR_CALL(rename_no_overwrite, if (mutant_is_file(fs, dst)) SET(TF_ALREADY_EXISTS);
          else good.rename_file(fs, src, dst, status))
PAIR_CALL(rename_copies, good.copy_file(fs, src, dst, status))
PAIR_CALL(rename_directory,
          if (!mutant_is_directory(fs, src)) good.rename_file(fs, src, dst, status))
PAIR_CALL(rename_stale, good.rename_file(fs, src, dst, status);
          if (TF_GetCode(status) == TF_OK) SET(TF_NOT_FOUND))
PAIR_CALL(rename_removes_first, TF_Status *ignored = TF_NewStatus();
          if (mutant_is_file(fs, dst) && !mutant_is_file(fs, src))
              good.delete_file(fs, dst, ignored);
          TF_DeleteStatus(ignored); good.rename_file(fs, src, dst, status))
PAIR_CALL(rename_parent, good.rename_file(fs, src, dst, status);
          if (TF_GetCode(status) == TF_NOT_FOUND && mutant_is_file(fs, src))
              SET(TF_FAILED_PRECONDITION))

/* Opens the target, which empties it, before the source is looked at. */
static void copy_opens_first(FS, const char *src, const char *dst, TF_Status *status) {
  TF_WritableFile file = {0};
  good.new_writable_file(fs, dst, &file, status);
  if (TF_GetCode(status) != TF_OK) return;
  good_writer.close(&file, status);
  good_writer.cleanup(&file);
  good.copy_file(fs, src, dst, status);
}

PAIR_CALL(copy_no_overwrite, if (!mutant_is_file(fs, dst)) good.copy_file(fs, src, dst, status))
PAIR_CALL(copy_moves, good.rename_file(fs, src, dst, status))
PAIR_CALL(copy_directory, if (!mutant_is_directory(fs, src)) good.copy_file(fs, src, dst, status))

/* Questions ---------------------------------------------------------------------- */

PATH_CALL(exists_files, good.path_exists(fs, path, status);
          if (mutant_is_directory(fs, path)) SET(TF_NOT_FOUND))
PATH_CALL(exists_always, (void)0)
PATH_CALL(exists_invalid, good.path_exists(fs, path, status); as_not_found(status))

static bool exist_first(FS, char **paths, int count, TF_Status **statuses) {
  return good.paths_exist(fs, paths, count < 1 ? count : 1, statuses);
}

#define STAT(name, ...)                                                                            \
  static void name(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {            \
    good.stat(fs, path, stats, status);                                                            \
    __VA_ARGS__;                                                                                   \
  }
STAT(stat_seconds, stats->mtime_nsec /= 1000000000)
STAT(stat_future, stats->mtime_nsec *= 2)
STAT(stat_no_directory, stats->is_directory = false)
STAT(stat_empty, stats->length = 0)
STAT(stat_invalid, as_not_found(status))
STAT(stat_sometimes, if (stats->is_directory) SET(TF_UNIMPLEMENTED))

static bool directory_file(FS, const char *path, TF_Status *status) {
  good.path_exists(fs, path, status);
  return TF_GetCode(status) == TF_OK;
}

static bool directory_missing(FS, const char *path, TF_Status *status) {
  bool answer = good.is_directory(fs, path, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) SET(TF_FAILED_PRECONDITION);
  return answer;
}

static int64_t size_directory(FS, const char *path, TF_Status *status) {
  return mutant_is_directory(fs, path) ? 4096 : good.get_file_size(fs, path, status);
}

static int64_t size_16_bits(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size < 0 ? size : (int64_t)(uint16_t)size;
}

/* Lists and names ---------------------------------------------------------------- */

#define LIST(name, slot, ...)                                                                      \
  static int name(FS, const char *path, char ***entries, TF_Status *status) {                      \
    int count = good.slot(fs, path, entries, status);                                              \
    __VA_ARGS__;                                                                                   \
    return count;                                                                                  \
  }
LIST(children_fewer, get_children, if (count > 1) free((*entries)[--count]))
LIST(
    children_twice, get_children, if (count > 1) {
      free((*entries)[0]);
      (*entries)[0] = strdup((*entries)[1]);
    })
LIST(children_interior, get_children, if (count > 0) (*entries)[0]++)
LIST(
    children_file, get_children, if (mutant_is_file(fs, path)) {
      TF_SetStatus(status, TF_OK, "");
      count = 0;
    })
LIST(children_lower, get_children,
     for (int i = 0; i < count; i++) for (char *c = (*entries)[i]; *c;
                                          c++) if (*c >= 'A' && *c <= 'Z') *c |= 0x20)
LIST(children_limit, get_children, while (count > 999) free((*entries)[--count]))

static int glob_changed(FS, const char *pattern, char drop, char put, char ***entries,
                        TF_Status *status) {
  char *changed = strdup(pattern), *out = changed;
  for (const char *in = pattern; *in; in++)
    if (*in != drop)
      *out++ = *in;
    else if (put)
      *out++ = put;
  *out = '\0';
  int count = good.get_matching_paths(fs, changed, entries, status);
  free(changed);
  return count;
}

static int glob_escape(FS, const char *pattern, char ***entries, TF_Status *status) {
  return glob_changed(fs, pattern, '\\', 0, entries, status);
}

static int glob_negation(FS, const char *pattern, char ***entries, TF_Status *status) {
  return glob_changed(fs, pattern, '^', 0, entries, status);
}

static int glob_question(FS, const char *pattern, char ***entries, TF_Status *status) {
  return glob_changed(fs, pattern, '?', '*', entries, status);
}

/* A star that finds nothing may cross one slash. */
static int glob_slash(FS, const char *pattern, char ***entries, TF_Status *status) {
  int count = good.get_matching_paths(fs, pattern, entries, status);
  const char *star = strchr(pattern, '*');
  if (count != 0 || !star) return count;
  size_t before = (size_t)(star - pattern);
  char *wider = calloc(1, strlen(pattern) + 3);
  memcpy(wider, pattern, before);
  strcpy(wider + before, "*/");
  strcat(wider, star);
  free(*entries);
  count = good.get_matching_paths(fs, wider, entries, status);
  free(wider);
  return count;
}

LIST(
    glob_bare, get_matching_paths, for (int i = 0; i < count; i++) {
      char *slash = strrchr((*entries)[i], '/');
      memmove((*entries)[i], slash + 1, strlen(slash));
    })
LIST(
    glob_not_found, get_matching_paths, if (count == 0) {
      SET(TF_NOT_FOUND);
      count = -1;
    })

static char *translate_dots(FS, const char *uri) {
  (void)fs;
  const char *at = strstr(uri, "://");
  return strdup(at ? at + 2 : uri);
}

static char *translate_nothing(FS, const char *uri) {
  (void)fs, (void)uri;
  return NULL;
}

/* Hollow: a full table that refuses everything. */
static void hollow(mutant_tables *t) {
  TF_FilesystemOps empty = {.init = good.init, .cleanup = good.cleanup};
  *t->fs = empty;
}

static void hollow_open(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  (void)fs, (void)path, (void)file;
  SET(TF_UNIMPLEMENTED);
}
PATH_CALL(hollow_path, SET(TF_UNIMPLEMENTED))

bool tree_fault_apply(mutant_tables *t, const char *name) {
  ON("hollow", hollow(t))
  ON("hollow.refuses", hollow(t); t->fs->create_dir = hollow_path;
     t->fs->new_writable_file = hollow_open; t->fs->path_exists = hollow_path)
  ON("mkdir.over.file", t->fs->create_dir = mkdir_over_file)
  ON("mkdir.twice", t->fs->create_dir = mkdir_twice)
  ON("mkdir.parents", t->fs->create_dir = mkdir_parents)
  ON("mkdirs.endless", t->fs->recursively_create_dir = mkdirs_endless)
  ON("mkdirs.once", t->fs->recursively_create_dir = mkdirs_once)
  ON("mkdirs.empties", t->fs->recursively_create_dir = mkdirs_empties)
  ON("remove.missing", t->fs->delete_file = remove_missing)
  ON("remove.directory", t->fs->delete_file = remove_directory)
  ON("remove.invalid", t->fs->delete_file = remove_invalid)
  ON("rmdir.file", t->fs->delete_dir = rmdir_file)
  ON("rmdir.full", t->fs->delete_dir = rmdir_full)
  ON("rmtree.no.count", t->fs->delete_recursively = rmtree_no_count)
  ON("rmtree.counts", t->fs->delete_recursively = rmtree_counts)
  ON("rmtree.missing", t->fs->delete_recursively = rmtree_missing)
  ON("rmtree.beside", t->fs->delete_recursively = rmtree_beside)
  ON("rename.no.overwrite", t->fs->rename_file = rename_no_overwrite)
  ON("rename.copies", t->fs->rename_file = rename_copies)
  ON("rename.directory", t->fs->rename_file = rename_directory)
  ON("rename.stale", t->fs->rename_file = rename_stale)
  ON("rename.removes.first", t->fs->rename_file = rename_removes_first)
  ON("rename.parent", t->fs->rename_file = rename_parent)
  ON("copy.opens.first", t->fs->copy_file = copy_opens_first)
  ON("copy.no.overwrite", t->fs->copy_file = copy_no_overwrite)
  ON("copy.moves", t->fs->copy_file = copy_moves)
  ON("copy.directory", t->fs->copy_file = copy_directory)
  ON("exists.files", t->fs->path_exists = exists_files)
  ON("exists.always", t->fs->path_exists = exists_always)
  ON("exists.invalid", t->fs->path_exists = exists_invalid)
  ON("exist.first", t->fs->paths_exist = exist_first)
  ON("stat.seconds", t->fs->stat = stat_seconds)
  ON("stat.future", t->fs->stat = stat_future)
  ON("stat.no.directory", t->fs->stat = stat_no_directory)
  ON("stat.empty", t->fs->stat = stat_empty)
  ON("stat.invalid", t->fs->stat = stat_invalid)
  ON("stat.sometimes", t->fs->stat = stat_sometimes)
  ON("directory.file", t->fs->is_directory = directory_file)
  ON("directory.missing", t->fs->is_directory = directory_missing)
  ON("size.directory", t->fs->get_file_size = size_directory)
  ON("size.16.bits", t->fs->get_file_size = size_16_bits)
  ON("children.fewer", t->fs->get_children = children_fewer)
  ON("children.twice", t->fs->get_children = children_twice)
  ON("children.interior", t->fs->get_children = children_interior)
  ON("children.file", t->fs->get_children = children_file)
  ON("children.lower", t->fs->get_children = children_lower)
  ON("children.limit", t->fs->get_children = children_limit)
  ON("glob.escape", t->fs->get_matching_paths = glob_escape)
  ON("glob.negation", t->fs->get_matching_paths = glob_negation)
  ON("glob.question", t->fs->get_matching_paths = glob_question)
  ON("glob.slash", t->fs->get_matching_paths = glob_slash)
  ON("glob.bare", t->fs->get_matching_paths = glob_bare)
  ON("glob.not.found", t->fs->get_matching_paths = glob_not_found)
  ON("translate.dots", t->fs->translate_name = translate_dots)
  ON("translate.nothing", t->fs->translate_name = translate_nothing)
  return false;
}
