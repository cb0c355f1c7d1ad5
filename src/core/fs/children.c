/* Lists that a plugin returns: names in a directory, and paths that match a pattern. */
#include <stdlib.h>
#include <string.h>

#include "fs.h"
#include "fs_defaults.h"
#include "core/base/string_list.h"
#include "core/base/probe.h"
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

static void take_entry(const modfs_fs *fs, const char *entry, bool bare, modfs_string_list *names,
                       const char *operation, TF_Status *status) {
  size_t length;
  if (!entry) {
    fs_breach(fs, status, "%s returned a NULL among its entries", operation);
    return;
  }
  const char *text = bare ? bare_name(entry, &length) : entry;
  if (!bare) length = strlen(entry);
  if (length > 0 && !string_list_add(names, text, length)) status_no_memory(status);
}

/* Probes all entries before any is used: a plugin's count may be one too high. */
static bool is_readable(char **entries, int count) {
  probe_pages pages = {0};
  size_t length;
  for (int i = 0; i < count; i++)
    if (!probe_place(&pages, entries + i) ||
        (entries[i] && !probe_length(&pages, entries[i], &length)))
      return false;
  return true;
}

/* The one place where a plugin's list is copied and freed. A list that cannot be read is not freed.
 */
static void collect(const modfs_fs *fs, const char *operation, int count, char **entries, bool bare,
                    modfs_string_list *names, TF_Status *status) {
  modfs_string_list copy = {0, NULL};
  if (count < 0 && status_ok(status))
    fs_breach(fs, status, "%s returned %d with OK", operation, count);
  if (count > 0 && !entries && status_ok(status))
    fs_breach(fs, status, "%s returned %d entries and no array", operation, count);
  if (entries && !is_readable(entries, count)) {
    fs_breach(fs, status, "%s returned fewer entries than %d that can be read", operation, count);
    return;
  }
  for (int i = 0; entries && i < count; i++) {
    if (status_ok(status)) take_entry(fs, entries[i], bare, &copy, operation, status);
    fs->plugin->free(entries[i]);
  }
  if (entries && count >= 0) fs->plugin->free(entries);
  if (status_ok(status))
    *names = copy;
  else
    modfs_string_list_fini(&copy);
}

void fs_children(const modfs_fs *fs, const char *name, modfs_string_list *names,
                 TF_Status *status) {
  char **entries = NULL;
  int count = fs->tables.fs.get_children(&fs->handle, name, &entries, status);
  collect(fs, "get_children", count, entries, true, names, status);
}

void modfs_fs_get_children(const modfs_fs *fs, const char *path, modfs_string_list *names,
                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_children(fs, name, names, status);
  fs_leave(fs, name, "get_children", path, status);
}

/* A renamed plugin's own function takes a pattern, and returns paths, with the scheme that the
 * plugin serves; the default takes and returns the registered one. */
void modfs_fs_get_matching_paths(const modfs_fs *fs, const char *pattern, modfs_string_list *names,
                                 TF_Status *status) {
  bool exchange = fs->renamed && fs->tables.fs.get_matching_paths != default_get_matching_paths;
  char **entries = NULL, *served = exchange ? fs_served_uri(fs, pattern) : NULL;
  status_clear(status);
  if (exchange && !served) {
    status_no_memory(status);
  } else if (fs_check_scheme(fs, pattern, status)) {
    const char *name = served ? served : pattern;
    int count = fs->tables.fs.get_matching_paths(&fs->handle, name, &entries, status);
    collect(fs, "get_matching_paths", count, entries, false, names, status);
  }
  free(served);
  for (size_t i = 0; exchange && status_ok(status) && i < names->count; i++) {
    char *uri = fs_registered_uri(fs, names->items[i]);
    if (!uri) status_no_memory(status);
    if (uri) free(names->items[i]);
    if (uri) names->items[i] = uri;
  }
  status_locate(status, "get_matching_paths", pattern);
}
