/* Iterating over a directory: by the plugin's extension, or over all its names at once. */
#include <stdlib.h>
#include <string.h>

#include "fs.h"
#include "status.h"

struct modfs_listing {
  const modfs_fs *fs;
  modfs_directory directory;
  bool iterates; /* by the extension */
  modfs_names names;
  size_t index;
  char path[];
};

static void start(modfs_listing *listing, const char *name, TF_Status *status) {
  const modfs_fs *fs = listing->fs;
  listing->iterates = fs->extension.open_directory != NULL;
  if (listing->iterates)
    fs->extension.open_directory(&fs->handle, name, &listing->directory, status);
  else
    fs_children(fs, name, &listing->names, status);
}

modfs_listing *modfs_listing_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  size_t size = strlen(path) + 1;
  modfs_listing *listing = name ? calloc(1, sizeof *listing + size) : NULL;
  if (listing) {
    listing->fs = fs;
    memcpy(listing->path, path, size);
    start(listing, name, status);
  } else if (name) {
    status_no_memory(status);
  }
  if (!status_ok(status)) {
    free(listing);
    listing = NULL;
  }
  fs_leave(fs, name, "list", path, status);
  return listing;
}

static bool check_entry(const modfs_listing *listing, const modfs_directory_entry *entry,
                        TF_Status *status) {
  const char *name = entry->name;
  if (name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
    return true;
  fs_breach(listing->fs, status, "next_entry gave the name \"%s\"", name ? name : "NULL");
  return false;
}

static bool next_from_plugin(modfs_listing *listing, modfs_entry *entry, TF_Status *status) {
  modfs_directory_entry raw = {NULL, MODFS_KIND_UNKNOWN};
  bool more = listing->fs->extension.next_entry(&listing->directory, &raw, status);
  if (!status_ok(status) || !more || !check_entry(listing, &raw, status)) return false;
  bool known = raw.kind >= MODFS_KIND_UNKNOWN && raw.kind <= MODFS_KIND_OTHER;
  *entry = (modfs_entry){raw.name, known ? raw.kind : MODFS_KIND_UNKNOWN};
  return true;
}

bool modfs_listing_next(modfs_listing *listing, modfs_entry *entry, TF_Status *status) {
  status_clear(status);
  if (listing->iterates) {
    bool more = next_from_plugin(listing, entry, status);
    status_locate(status, "list", listing->path);
    return more;
  }
  if (listing->index == listing->names.count) return false;
  *entry = (modfs_entry){listing->names.items[listing->index++], MODFS_KIND_UNKNOWN};
  return true;
}

void modfs_listing_close(modfs_listing *listing) {
  if (!listing) return;
  if (listing->iterates) listing->fs->extension.close_directory(&listing->directory);
  modfs_names_fini(&listing->names);
  free(listing);
}
