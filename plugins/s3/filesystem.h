/* The state that all handles of one scheme share. */
#ifndef S3_FILESYSTEM_H
#define S3_FILESYSTEM_H

#include "../common/slot/slot.h"
#include "../common/objects/filesystem.h"
#include "bucket_region.h"
#include "options.h"

typedef struct s3_filesystem {
  objects_filesystem objects; /* first, for objects_of */
  char *environment;          /* the secrets of AWS_ variables; NULL for gs */
  char *home;                 /* the user's home directory; NULL: unknown */
  char *issued;               /* credentials that were issued for a time (issued.c), */
  uint64_t issued_by;         /* by the source with this hash, */
  int64_t issued_end;         /* until then, in seconds since 1970 */
  s3_bucket_regions bucket_regions;
  _Atomic(int64_t) clock; /* seconds that the server's clock is ahead of ours */
} s3_filesystem;

/* Starts a state, which starts zeroed but for scheme and service; gs begins with one, too. environment: whether the
 * variables AWS_ count. false: status may say why, and the caller still calls s3_filesystem_fini. */
bool s3_filesystem_init(s3_filesystem *self, const option_table *options, bool environment,
                        TF_Status *status);
void s3_filesystem_fini(s3_filesystem *self);

FS_SLOT(init) s3_init;
FS_SLOT(cleanup) s3_cleanup;

static inline s3_filesystem *s3_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

#endif
