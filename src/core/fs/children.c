/* Lists that a plugin returns: names in a directory, and paths that match a pattern. */
#include <stdlib.h>
#include <string.h>

#include "directory.h"
#include "fs.h"
#include "fs_defaults.h"
#include "core/base/glob.h"
#include "core/base/probe.h"
#include "core/base/string_list.h"
#include "core/base/status.h"

/* The bare name, without any path or slash that a plugin has put around it; empty: to be skipped.
 */
static const char *bare_name(const char *entry, size_t *length) {
  size_t end = strlen(entry), start;
  while (end > 0 && entry[end - 1] == '/')
    end--;
  for (start = end; start > 0 && entry[start - 1] != '/'; start--) {
  }
  *length = end - start;
  if ((*length == 1 && entry[start] == '.') ||
      (*length == 2 && strncmp(entry + start, "..", 2) == 0))
    *length = 0;
  return entry + start;
}

/* A list as a slot returned it. */
typedef struct returned_list {
  const modfs_fs *fs;
  const char *operation;
  bool bare; /* of names in a directory, not of paths */
  int count;
  char **entries;
} returned_list;

static void take_entry(const returned_list *list, const char *entry, modfs_string_list *names,
                       TF_Status *status) {
  size_t length;
  if (!entry) {
    fs_breach(list->fs, status, "%s returned a NULL among its entries", list->operation);
    return;
  }
  const char *text = list->bare ? bare_name(entry, &length) : entry;
  if (!list->bare) length = strlen(entry);
  if (length > 0 && !string_list_add(names, text, length)) status_no_memory(status);
}

/* Probes all entries before any is used: a plugin's count may be one too high. */
static bool is_readable(const returned_list *list) {
  probe_pages pages = {0};
  size_t length;
  for (int i = 0; list->entries && i < list->count; i++) {
    char **entry = list->entries + i;
    if (!probe_place(&pages, entry) || (*entry && !probe_length(&pages, *entry, &length)))
      return false;
  }
  return true;
}

/* Whether the entries can be read, and so freed. */
static bool check_list(const returned_list *list, TF_Status *status) {
  bool ok = status_ok(status), readable = is_readable(list);
  if (ok && list->count < 0)
    fs_breach(list->fs, status, "%s returned %d with OK", list->operation, list->count);
  if (ok && list->count > 0 && !list->entries)
    fs_breach(list->fs, status, "%s returned %d entries and no array", list->operation,
              list->count);
  if (!readable)
    fs_breach(list->fs, status, "%s returned %d entries, not all of which can be read",
              list->operation, list->count);
  return readable;
}

/* The one place where a plugin's list is copied and freed. A list that cannot be read is not freed.
 */
static void collect(const returned_list *list, modfs_string_list *names, TF_Status *status) {
  modfs_string_list copy = {0};
  if (!check_list(list, status)) return;
  for (int i = 0; list->entries && i < list->count; i++) {
    if (status_ok(status)) take_entry(list, list->entries[i], &copy, status);
    list->fs->plugin->free(list->entries[i]);
  }
  if (list->entries && list->count >= 0) list->fs->plugin->free(list->entries);
  if (status_ok(status))
    *names = copy;
  else
    modfs_string_list_fini(&copy);
}

/* Appends the names in a block, which is in the list's own room. */
static void keep_names(const modfs_fs *fs, char *block, size_t filled, modfs_string_list *names,
                       TF_Status *status) {
  modfs_entry entry;
  for (size_t at = 0, size = 1; at < filled && size > 0; at += size) {
    size = directory_unpack(fs, block + at, filled - at, &entry, status);
    if (size > 0 && !string_list_keep(names, block + at + 1)) {
      status_no_memory(status);
      return;
    }
  }
}

/* The plugin stores the names where they stay: nothing is copied, and each block is freed at once. */
static void list_in_blocks(const modfs_fs *fs, const modfs_directory *handle,
                           modfs_string_list *names, TF_Status *status) {
  size_t size, filled = 0;
  do {
    char *room = string_list_room(names, MODFS_ENTRIES_SIZE, &size);
    if (!room) {
      status_no_memory(status);
      return;
    }
    filled = directory_fill(fs, handle, room, size, status);
    string_list_use(names, filled);
    keep_names(fs, room, filled, names, status);
  } while (filled > 0 && status_ok(status));
}

static void children_in_blocks(const modfs_fs *fs, const char *name, modfs_string_list *names,
                               TF_Status *status) {
  modfs_directory handle = {NULL};
  modfs_string_list found = {0};
  directory_open_name(fs, name, &handle, status);
  if (!status_ok(status)) return;
  list_in_blocks(fs, &handle, &found, status);
  directory_close_handle(fs, &handle);
  if (status_ok(status))
    *names = found;
  else
    modfs_string_list_fini(&found);
}

void fs_children(const modfs_fs *fs, const char *name, modfs_string_list *names,
                 TF_Status *status) {
  if (fs->lists_in_blocks) {
    children_in_blocks(fs, name, names, status);
    return;
  }
  returned_list list = {.fs = fs, .operation = "get_children", .bare = true};
  list.count = fs->tables.fs.get_children(&fs->handle, name, &list.entries, status);
  collect(&list, names, status);
}

void modfs_fs_get_children(const modfs_fs *fs, const char *path, modfs_string_list *names,
                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_children(fs, name, names, status);
  fs_leave(fs, name, "get_children", path, status);
}

/* Puts the registered scheme into paths with the one that the plugin serves. */
static void register_paths(const modfs_fs *fs, modfs_string_list *names, TF_Status *status) {
  for (size_t i = 0; i < names->count && status_ok(status); i++) {
    char *uri = fs_registered_uri(fs, names->items[i]);
    if (!uri) {
      status_no_memory(status);
    } else {
      free(names->items[i]);
      names->items[i] = uri;
    }
  }
}

/* A renamed plugin's function takes a pattern, and returns paths, with the scheme that the plugin
 * serves. */
static void plugin_matching(const modfs_fs *fs, const char *pattern, modfs_string_list *names,
                            TF_Status *status) {
  char *served = fs->renamed ? fs_served_uri(fs, pattern) : NULL;
  if (fs->renamed && !served) {
    status_no_memory(status);
    return;
  }
  returned_list list = {.fs = fs, .operation = "get_matching_paths"};
  list.count = fs->tables.fs.get_matching_paths(&fs->handle, served ? served : pattern,
                                                &list.entries, status);
  collect(&list, names, status);
  free(served);
  if (fs->renamed && status_ok(status)) register_paths(fs, names, status);
}

/* The default is called without a list between, as a plugin has to return it. */
void modfs_fs_get_matching_paths(const modfs_fs *fs, const char *pattern, modfs_string_list *names,
                                 TF_Status *status) {
  bool is_default = fs->tables.fs.get_matching_paths == default_get_matching_paths;
  status_clear(status);
  if (fs_check_scheme(fs, pattern, status)) {
    if (is_default)
      glob_find(fs, pattern, false, names, status);
    else
      plugin_matching(fs, pattern, names, status);
  }
  status_locate(status, "get_matching_paths", pattern);
}
