/* One member's headers in a tar file: a block of 512 bytes, and what GNU's and POSIX's extensions put
 * before it. */
#ifndef ARCHIVE_TAR_HEADER_H
#define ARCHIVE_TAR_HEADER_H

#include "index.h"

enum { TAR_BLOCK = 512, TAR_LONGEST = 1024 * 1024 };

/* What extended headers say of the next member; NULL or not set: its own header counts. */
typedef struct tar_extension {
  char *path;
  char *link;
  bool has_size, has_mtime, has_owner, has_group, is_sparse;
  uint64_t size;
  uint64_t real_size; /* of a sparse file */
  int64_t mtime_nsec;
  uint64_t owner, group;
} tar_extension;

void tar_extension_fini(tar_extension *self);

/* Takes the records of a pax header; text ends in a NUL. */
bool tar_extension_take(tar_extension *self, char *text, size_t length, TF_Status *status);

typedef struct tar_header {
  char type;
  char path[100 + 155 + 2];
  char link[101];
  uint64_t size;
  uint64_t real_size; /* of a sparse file of old GNU tar */
  bool is_extended;   /* its sparse map goes on in further blocks */
  int64_t mtime_nsec;
  int64_t owner, group;
  uint32_t mode;
} tar_header;

/* False, with DATA_LOSS, where it is no header. */
bool tar_header_read(tar_header *self, const unsigned char *block, TF_Status *status);

bool tar_block_is_zero(const unsigned char *block);

#endif
