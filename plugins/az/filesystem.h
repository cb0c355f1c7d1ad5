/* The state that all handles of one scheme share. */
#ifndef AZ_FILESYSTEM_H
#define AZ_FILESYSTEM_H

#include "../common/objects/filesystem.h"
#include "options.h"

typedef struct az_filesystem {
  objects_filesystem objects; /* first, for objects_of */
  char *environment;          /* the secrets of AZURE_ variables, in the order of the options */
  char *token;                /* one secret: the token that was issued last, */
  uint64_t token_for;         /* to the identity with this hash, */
  int64_t token_end;          /* used until then, in seconds since 1970 */
  _Atomic(int64_t) clock;     /* seconds that the server's clock is ahead of ours */
} az_filesystem;

FS_SLOT(init) az_init, az_init_abfs, az_init_abfss;
FS_SLOT(cleanup) az_cleanup;

static inline az_filesystem *az_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

#endif
