/* The entries of an open directory, read in big batches. */
#ifndef POSIX_SCAN_H
#define POSIX_SCAN_H

#include <dirent.h>
#include <modfs/filesystem.h>
#include <stddef.h>

typedef struct posix_scan {
  int fd;
  size_t next;   /* where the next entry starts in bytes */
  size_t filled; /* how far bytes are filled */
  char *bytes;   /* NULL until an entry is wanted */
  const TF_Filesystem *filesystem;
} posix_scan;

/* Opens the directory at path; returns an error. */
int posix_scan_new(const TF_Filesystem *filesystem, const char *path, posix_scan **scan);

/* The same for an entry of an open directory, which must be a directory itself, not a link to one.
 * One that may be entered but not listed is opened for that. */
int posix_scan_new_at(const posix_scan *parent, const char *name, posix_scan **scan);

/* Gives back the room for entries, for the while in which none is wanted. */
void posix_scan_rest(posix_scan *scan);

/* Closes the directory; NULL is allowed. */
void posix_scan_free(posix_scan *scan);

/* Starts over in another open directory. */
void posix_scan_start(posix_scan *scan, int fd);

/* Finds the next entry but "." and "..": returns 0, and NULL at the end, or an error.
 * The entry is good until the next call. */
int posix_scan_next(posix_scan *scan, const struct dirent64 **entry);

#endif
