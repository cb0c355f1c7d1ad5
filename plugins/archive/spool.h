/* The bytes of a member before they go into the archive: in memory at first, then in a temporary
 * file. */
#ifndef ARCHIVE_SPOOL_H
#define ARCHIVE_SPOOL_H

#include "base.h"

typedef struct spool {
  char *memory;
  base_file *file; /* NULL: all is in memory */
  uint64_t length;
} spool;

enum { SPOOL_IN_MEMORY = 1024 * 1024 };

bool spool_put(spool *self, const char *bytes, size_t n, TF_Status *status);

void spool_fini(spool *self);

#endif
