/* A listing of one directory, page by page.
 *
 * State: one page of keys and the index of the next; memory does not grow with the number of names. The
 * server lists in the order of keys, and the next page starts where the last one ended: names that are
 * created or deleted meanwhile may be listed or not, all others are listed once.
 *
 * `last` is the last name, and is_object[n] tells whether its first n bytes are a name that was
 * returned as an object. take_name keeps what both names have in common, so the array is right for
 * every beginning of the new name.
 *
 * Threads: one at a time for each listing; listings share nothing. Who frees: store_listing_close, which
 * also frees the page. A returned name is valid until the next call.
 * Fork: a listing has neither a descriptor nor a connection; a child may continue its copy. */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "../objects/error.h"
#include "../objects/page.h"
#include "stat.h"
#include "../remote/strings.h"

struct store_listing {
  const TF_Filesystem *filesystem;
  objects_name name;
  objects_page page;
  size_t index;
  size_t skip; /* bytes of the directory's prefix in each key */
  char prefix[2 * OBJECTS_MOST_KEY];
  /* The directory "a/" is listed after the object "a", but "a-" may come between them. So this records,
   * by length, which beginnings of the last name are objects. */
  char last[OBJECTS_MOST_KEY + 1];
  bool is_object[OBJECTS_MOST_KEY + 1];
};

static bool fetch(store_listing *self, TF_Status *status) {
  self->index = 0;
  return objects_page_fetch(self->filesystem, &self->page, status);
}

static store_listing *listing_new(const TF_Filesystem *filesystem, const objects_name *name,
                                  const char *start, TF_Status *status) {
  store_listing *self = fail_or_allocate(sizeof *self, status);
  if (!self) return NULL;
  self->filesystem = filesystem;
  self->name = *name;
  self->skip = strlen(name->prefix);
  stpncpy(stpcpy(self->prefix, name->prefix), start ? start : "", OBJECTS_MOST_KEY - 2);
  self->page.name = &self->name;
  self->page.prefix = self->prefix;
  return self;
}

store_listing *store_listing_open(const TF_Filesystem *filesystem, const objects_name *name,
                                  const char *start, TF_Status *status) {
  store_listing *self = listing_new(filesystem, name, start, status);
  if (!self) return NULL;
  bool found = fetch(self, status);
  /* An empty first page does not tell whether the directory exists at all. */
  bool sure = self->page.count > 0 || (start && *start) || *self->prefix == '\0';
  if (found && (sure || store_stat_directory(filesystem, name, status))) return self;
  store_listing_close(self);
  return NULL;
}

void store_listing_close(store_listing *self) {
  if (self) objects_page_end(&self->page);
  free(self);
}

/* Copies the name at the index, without its slash, to `last`; false for one that no path can name. */
static bool take_name(store_listing *self) {
  const char *name = objects_page_key(&self->page, self->index) + self->skip;
  size_t n = strcspn(name, "/"), same = 0;
  if (n == 0 || n > OBJECTS_MOST_KEY) return false;
  while (same < n && self->last[same] == name[same])
    same++;
  for (size_t i = same + 1; i <= strlen(self->last); i++)
    self->is_object[i] = false;
  memcpy(self->last, name, n);
  self->last[n] = '\0';
  return strcmp(self->last, ".") != 0 && strcmp(self->last, "..") != 0;
}

/* Whether the name has not been returned yet. */
static bool is_new(store_listing *self, bool is_prefix) {
  size_t n = strlen(self->last);
  if (is_prefix && self->is_object[n]) return false;
  self->is_object[n] = !is_prefix;
  return true;
}

const char *store_listing_next(store_listing *self, bool *is_directory, TF_Status *status) {
  for (;; self->index++) {
    while (self->index == self->page.count) {
      if (!self->page.more || !fetch(self, status)) return NULL;
    }
    bool is_prefix = self->page.entries[self->index].is_prefix;
    if (!take_name(self) || !is_new(self, is_prefix)) continue;
    self->index++;
    *is_directory = is_prefix;
    return self->last;
  }
}

int store_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                       TF_Status *status) {
  objects_name name;
  remote_strings names = {0};
  bool directory = false;
  store_listing *listing = objects_name_parse(filesystem, path, &name, status)
                               ? store_listing_open(filesystem, &name, NULL, status)
                               : NULL;
  if (!listing) return -1;
  const char *next = NULL;
  while ((next = store_listing_next(listing, &directory, status)))
    if (!remote_strings_add(&names, next, status)) break;
  store_listing_close(listing);
  return remote_strings_give(&names, entries, status);
}

void store_open_directory(const TF_Filesystem *filesystem, const char *path,
                          modfs_directory *directory, TF_Status *status) {
  objects_name name;
  if (objects_name_parse(filesystem, path, &name, status))
    directory->plugin_directory = store_listing_open(filesystem, &name, NULL, status);
}

bool store_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                      TF_Status *status) {
  bool is_prefix = false;
  entry->name = store_listing_next(directory->plugin_directory, &is_prefix, status);
  entry->kind = is_prefix ? MODFS_KIND_DIRECTORY : MODFS_KIND_FILE;
  return entry->name != NULL;
}

void store_close_directory(modfs_directory *directory) {
  store_listing_close(directory->plugin_directory);
  directory->plugin_directory = NULL;
}
