/* Reads the entries of an open directory in large batches. */
#ifndef POSIX_SCAN_H
#define POSIX_SCAN_H

#include <dirent.h>
#include <modfs/filesystem.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct posix_scan {
  int fd;
  size_t next;   /* where the next entry starts in bytes */
  size_t filled; /* how far bytes are filled */
  char *bytes;   /* NULL until an entry is needed */
  const TF_Filesystem *filesystem;
  atomic_uint left; /* permission bits that files created in it were seen to have; for any thread */
} posix_scan;

/* Opens the directory at path; returns an error. */
int posix_scan_new(const TF_Filesystem *filesystem, const char *path, posix_scan **scan);

/* The same for an entry of an open directory. It must be a directory itself, not a link to one. A
 * directory with search permission alone is opened by O_PATH: entries can be opened in it, not listed. */
int posix_scan_new_at(const posix_scan *parent, const char *name, posix_scan **scan);

/* Frees the buffer while no entry is needed. */
void posix_scan_rest(posix_scan *scan);

/* Closes the directory; NULL is allowed. */
void posix_scan_free(posix_scan *scan);

/* Starts over with another open directory. Owns: the descriptor stays the caller's. */
void posix_scan_start(posix_scan *scan, int fd);

/* Finds the next entry, without "." and "..": returns 0, with NULL at the end, or an error.
 * Owns: the scan, until the next call. */
int posix_scan_next(posix_scan *scan, const struct dirent64 **entry);

/* Reads the next entries, as the kernel stores them and with "." and "..", into a block that is
 * aligned as by malloc; returns an error. */
int posix_scan_read(const posix_scan *scan, char *bytes, size_t size, size_t *filled);
bool posix_scan_is_dots(const char *name);

#endif
