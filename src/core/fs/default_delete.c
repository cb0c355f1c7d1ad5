/* The default of delete_recursively: entries before their directory, with a stack on the heap. A
 * link is deleted, not followed. Where the plugin cannot detect links, delete_file is tried on what
 * looks like a directory; it was a link if nothing exists there afterwards. */
#include <stdlib.h>
#include <string.h>

#include "fs_defaults.h"
#include "core/base/string_list.h"
#include "core/base/status.h"

typedef struct level {
  modfs_string_list names; /* of its children */
  size_t next;             /* the next child */
  size_t length;           /* of its path */
  bool unreadable;
} level;

typedef struct deletion {
  const modfs_fs *fs;
  TF_Status *asking; /* the status of single calls */
  TF_Status *first;  /* the first failure */
  uint64_t files;
  uint64_t directories;
  char *path; /* of the current entry */
  size_t capacity;
  level *levels;
  size_t depth;
  bool endless;
} deletion;

static void note_failure(deletion *work, uint64_t *count) {
  ++*count;
  if (status_ok(work->first))
    TF_SetStatus(work->first, TF_GetCode(work->asking), TF_Message(work->asking));
}

static bool exists(deletion *work) {
  status_clear(work->asking);
  fs_path_exists(work->fs, work->path, work->asking);
  return TF_GetCode(work->asking) != TF_NOT_FOUND;
}

static bool delete_file(deletion *work) {
  status_clear(work->asking);
  fs_delete_file(work->fs, work->path, work->asking);
  return status_ok(work->asking);
}

/* Where links cannot be detected: whether an apparent directory was a link, which is deleted then.
 */
static bool delete_link(deletion *work) {
  return !work->fs->tells_links && delete_file(work) && !exists(work);
}

/* The kind of the current entry; a failure is in asking. */
static int kind_of(deletion *work) {
  modfs_attributes attributes = {.kind = MODFS_KIND_UNKNOWN};
  status_clear(work->asking);
  if (!work->fs->tells_links)
    return fs_is_directory(work->fs, work->path, work->asking) ? MODFS_KIND_DIRECTORY
                                                               : MODFS_KIND_FILE;
  fs_lstat(work->fs, work->path, &attributes, work->asking);
  return attributes.kind;
}

static bool push_level(deletion *work) {
  if ((work->depth & (work->depth - 1)) == 0) {
    size_t capacity = work->depth ? 2 * work->depth : 1;
    level *levels = realloc(work->levels, capacity * sizeof *levels);
    if (!levels) return false;
    work->levels = levels;
  }
  level *top = &work->levels[work->depth++];
  *top = (level){.length = strlen(work->path)};
  status_clear(work->asking);
  fs_children(work->fs, work->path, &top->names, work->asking);
  top->unreadable = !status_ok(work->asking);
  if (top->unreadable) note_failure(work, &work->directories);
  return true;
}

/* Appends a child's name to the path of its directory. */
static bool append_name(deletion *work, size_t length, const char *name) {
  size_t size = strlen(name) + 1, needed = length + size + 1;
  if (needed > work->capacity) {
    char *path = realloc(work->path, 2 * needed);
    if (!path) return false;
    work->path = path;
    work->capacity = 2 * needed;
  }
  if (length > 0 && work->path[length - 1] != '/') work->path[length++] = '/';
  memcpy(work->path + length, name, size);
  return true;
}

static void no_memory(deletion *work) {
  status_no_memory(work->asking);
  note_failure(work, &work->directories);
}

/* Deletes the current entry, or makes it the next level. */
static void enter(deletion *work) {
  int kind = kind_of(work);
  if (kind == MODFS_KIND_UNKNOWN) {
    note_failure(work, &work->files);
  } else if (kind != MODFS_KIND_DIRECTORY) {
    if (!delete_file(work)) note_failure(work, &work->files);
  } else if (!delete_link(work)) {
    work->endless = !fs_check_depth(work->fs, work->depth, strlen(work->path), work->asking);
    if (work->endless)
      note_failure(work, &work->directories);
    else if (!push_level(work))
      no_memory(work);
  }
}

static void leave(deletion *work) {
  level *top = &work->levels[--work->depth];
  work->path[top->length] = '\0';
  modfs_string_list_fini(&top->names);
  if (work->endless) work->directories++;
  if (top->unreadable || work->endless) return;
  status_clear(work->asking);
  fs_delete_dir(work->fs, work->path, work->asking);
  if (!status_ok(work->asking)) note_failure(work, &work->directories);
}

static void run(deletion *work) {
  enter(work);
  while (work->depth > 0) {
    level *top = &work->levels[work->depth - 1];
    if (top->next == top->names.count || work->endless) {
      leave(work);
    } else if (append_name(work, top->length, top->names.items[top->next++])) {
      enter(work);
    } else {
      no_memory(work);
    }
  }
}

void default_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                TF_Status *status) {
  deletion work = {.fs = fs_of(filesystem), .first = status, .asking = TF_NewStatus()};
  work.path = strdup(path);
  work.capacity = strlen(path) + 1;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  if (!work.path || !work.asking) {
    status_no_memory(status);
  } else {
    fs_path_exists(work.fs, path, status);
    if (status_ok(status)) {
      run(&work);
      *undeleted_files = work.files;
      *undeleted_dirs = work.directories;
    }
  }
  free(work.levels);
  free(work.path);
  TF_DeleteStatus(work.asking);
}
