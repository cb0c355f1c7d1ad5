/* The file that an archive is: read through the host, from whatever filesystem it lies on. A host
 * that offers nothing (TensorFlow) leaves local files. */
#ifndef ARCHIVE_BASE_H
#define ARCHIVE_BASE_H

#include <modfs/extension.h>

/* Which version of a file is there. */
typedef struct base_version {
  uint64_t device; /* device and inode: both 0 where the storage has none */
  uint64_t inode;
  int64_t length;
  int64_t mtime_nsec;
} base_version;

typedef struct base_file base_file;

/* False on a failure: NOT_FOUND, or FAILED_PRECONDITION for a directory. */
bool base_look(const modfs_host *host, const char *path, base_version *version, TF_Status *status);

/* NULL on failure. Owns: base_close. */
base_file *base_open(const modfs_host *host, const char *path, TF_Status *status);
void base_close(base_file *self);

/* Reads exactly n bytes; DATA_LOSS where the file ends before. Threads: any. */
bool base_read(base_file *self, uint64_t offset, size_t n, void *buffer, TF_Status *status);

/* Whether a read has found another version in the file's place. */
bool base_is_replaced(const base_file *self);

/* A temporary content, as a base_file: in memory up to that many bytes, then in an unnamed file on disk;
 * TMPDIR says where. NULL on failure. */
base_file *base_spool(size_t in_memory, TF_Status *status);
bool base_append(base_file *self, const void *bytes, size_t n, TF_Status *status);

#endif
