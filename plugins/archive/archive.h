/* An archive that was opened: the file that it is, and its directory. */
#ifndef ARCHIVE_ARCHIVE_H
#define ARCHIVE_ARCHIVE_H

#include <stdatomic.h>

#include "base.h"
#include "index.h"
#include "options.h"

typedef enum archive_format {
  ARCHIVE_ZIP,
  ARCHIVE_TAR,
  ARCHIVE_PACKAGE,
  ARCHIVE_HAR /* a directory: the archive's file is the list in it */
} archive_format;

/* Immutable once it is loaded, but for the members of the cache. */
typedef struct archive {
  atomic_size_t references;
  archive_format format;
  base_version version;
  base_file *file;        /* holds the members: the archive itself, or its content decompressed */
  uint64_t length;        /* of that file */
  struct har_part *parts; /* har: the files that hold the members */
  uint32_t part_count;
  archive_index index;
  struct archive *next; /* of the cache, under its lock, as is checked_ms */
  int64_t checked_ms;
  char path[]; /* of the archive */
} archive;

/* Reads the directory of an archive whose file is open into its index. */
bool zip_load(archive *self, TF_Status *status);
bool tar_load(archive *self, const option_values *options, TF_Status *status);
bool package_load(archive *self, TF_Status *status);
bool har_load(archive *self, const modfs_host *host, TF_Status *status);
void har_fini(archive *self);

/* The path of the file that holds the archive's directory; NULL without memory. Owns: free(). */
char *archive_directory_file(archive_format format, const char *path);

/* The file that holds a member's content. */
base_file *archive_file_of(const archive *self, const index_entry *entry);

/* Whether a read of its files has met another version: then it cannot be read any more. */
bool archive_is_replaced(const archive *self);

/* The offset of a member's first stored byte. */
bool zip_find_content(const archive *self, const index_entry *entry, uint64_t *offset,
                      TF_Status *status);

/* Reads all stored bytes of a member, mostly by one read; *content is where they begin in the result.
 * NULL on failure. Owns: free(). */
char *zip_read_content(const archive *self, const index_entry *entry, const char **content,
                       TF_Status *status);

#endif
