/* The state of one scheme, and the archives that it has open. */
#ifndef ARCHIVE_FILESYSTEM_H
#define ARCHIVE_FILESYSTEM_H

#include "../common/slot/slot.h"
#include "archive.h"
#include "name.h"

typedef struct archive_fs {
  option_set options; /* first, for its slots */
  archive_format format;
  const modfs_host *host;   /* NULL: the host offers none */
  archive *archives;        /* the most recently used first, under the lock */
  struct writing *writings; /* archives that are being written: writing.c */
} archive_fs;

static inline archive_fs *archive_fs_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

FS_SLOT(init) archive_init_zip, archive_init_tar, archive_init_package, archive_init_har;
FS_SLOT(cleanup) archive_cleanup;
FS_SLOT(translate_name) archive_translate_name;
FS_SLOT(flush_caches) archive_flush_caches;
EXTENSION_SLOT(accept_host) archive_accept_host;

/* The archive of that path in its present version, from memory or loaded; NULL on failure. Owns:
 * archive_release. */
archive *archive_get(archive_fs *fs, const char *path, TF_Status *status);
void archive_release(archive *self);

/* What a path names: the entry, in an archive that is held. Starts zeroed. */
typedef struct archive_place {
  archive_name name;
  archive *archive;
  const index_entry *entry;
} archive_place;

/* False on failure: NOT_FOUND for what is not in the archive. Links are followed within the
 * archive; with keeps_last the path itself may be one. Owns: archive_place_fini, in any case. */
bool archive_place_init(archive_place *self, const TF_Filesystem *filesystem, const char *path,
                        bool keeps_last, TF_Status *status);
void archive_place_fini(archive_place *self);

#endif
