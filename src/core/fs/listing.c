/* Iterating over a directory. A listing owns its open directory and is for one thread at a time. */
#include <stdlib.h>
#include <string.h>

#include "directory.h"
#include "core/base/status.h"

struct modfs_listing {
  fs_directory directory;
  char path[];
};

static void open_and_start(modfs_listing *listing, const modfs_fs *fs, TF_Status *status) {
  directory_open(fs, listing->path, &listing->directory, status);
  if (!status_ok(status)) return;
  directory_start(&listing->directory, status);
  if (!status_ok(status)) directory_close(&listing->directory);
}

modfs_listing *modfs_listing_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  bool given = status_takes(status, "the path", path);
  size_t size = given ? strlen(path) + 1 : 0;
  modfs_listing *listing = given ? malloc(sizeof *listing + size) : NULL;
  if (listing) {
    memcpy(listing->path, path, size);
    open_and_start(listing, fs, status);
  } else if (given) {
    status_no_memory(status);
  }
  status_locate(status, "list", path);
  if (status_ok(status)) return listing;
  free(listing);
  return NULL;
}

bool modfs_listing_next(modfs_listing *listing, modfs_entry *entry, TF_Status *status) {
  bool more = directory_next(&listing->directory, entry, status);
  if (!more) status_locate(status, "list", listing->path);
  return more;
}

void modfs_listing_close(modfs_listing *listing) {
  if (!listing) return;
  directory_close(&listing->directory);
  free(listing);
}
