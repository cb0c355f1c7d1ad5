/* The default of get_matching_paths: level by level from the last literal directory. Patterns and
 * results are paths as users write them; nothing of them is translated. */
#include <stdlib.h>
#include <string.h>

#include "fs_defaults.h"
#include "glob.h"
#include "names.h"
#include "status.h"

typedef struct glob_search {
  const modfs_fs *fs;
  TF_Status *asking;
} glob_search;

/* Keeps the children of parent that match one segment, and at inner levels only directories. */
static void match_children(glob_search *search, const char *parent, const char *segment, bool last,
                           modfs_names *found, TF_Status *status) {
  modfs_names children = {0, NULL};
  modfs_fs_get_children(search->fs, *parent ? parent : ".", &children, search->asking);
  for (size_t i = 0; i < children.count && status_ok(status); i++) {
    if (!modfs_glob_match(children.items[i], segment)) continue;
    char *path = modfs_path_join(parent, children.items[i]);
    if (path && !last && !modfs_fs_is_directory(search->fs, path, search->asking))
      free(path);
    else if (!names_take(found, path))
      status_no_memory(status);
  }
  modfs_names_fini(&children);
}

/* Goes one level down: directories becomes what matches segment in them. */
static void descend(glob_search *search, const char *segment, bool last, modfs_names *directories,
                    TF_Status *status) {
  modfs_names found = {0, NULL};
  for (size_t i = 0; i < directories->count && status_ok(status); i++)
    match_children(search, directories->items[i], segment, last, &found, status);
  modfs_names_fini(directories);
  *directories = found;
}

/* Where the last literal directory ends: the slash before the first segment with magic. */
static size_t literal_length(const char *pattern, size_t path_offset) {
  size_t end = path_offset;
  for (const char *p = pattern + path_offset; *p;) {
    size_t n = strcspn(p, "/");
    if (glob_has_magic(p, n)) break;
    p += n + (p[n] == '/');
    end = (size_t)(p - pattern);
  }
  return end;
}

static void search_levels(glob_search *search, const char *pattern, size_t literal,
                          modfs_names *found, TF_Status *status) {
  size_t root = literal;
  while (root > 1 && pattern[root - 1] == '/' && pattern[root - 2] != '/' &&
         pattern[root - 2] != ':')
    root--;
  const char *rest = pattern + literal;
  if (!names_add(found, literal ? pattern : ".", literal ? root : 1)) status_no_memory(status);
  while (*rest && status_ok(status)) {
    size_t n = strcspn(rest, "/");
    char *segment = strndup(rest, n);
    rest += n;
    rest += strspn(rest, "/");
    if (!segment)
      status_no_memory(status);
    else if (n > 0)
      descend(search, segment, *rest == '\0', found, status);
    free(segment);
  }
}

static void match_literally(glob_search *search, const char *pattern, modfs_names *found,
                            TF_Status *status) {
  modfs_fs_path_exists(search->fs, pattern, search->asking);
  if (status_ok(search->asking) && !names_add(found, pattern, strlen(pattern)))
    status_no_memory(status);
}

int default_get_matching_paths(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                               TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  modfs_path parts = modfs_path_parse(glob, strlen(glob));
  modfs_names found = {0, NULL};
  glob_search search = {fs, TF_NewStatus()};
  if (!search.asking)
    status_no_memory(status);
  else if (glob_has_magic(parts.host, parts.host_length))
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "a pattern in the host part cannot be searched for");
  else if (!glob_has_magic(glob, strlen(glob)))
    match_literally(&search, glob, &found, status);
  else
    search_levels(&search, glob, literal_length(glob, (size_t)(parts.path - glob)), &found, status);
  TF_DeleteStatus(search.asking);
  if (status_ok(status)) {
    modfs_names_sort(&found);
    return names_give(&found, fs->plugin->allocate, fs->plugin->free, entries, status);
  }
  modfs_names_fini(&found);
  return -1;
}
