/* The state that all handles of one scheme share. */
#ifndef S3_FILESYSTEM_H
#define S3_FILESYSTEM_H

#include <sys/types.h>

#include "../common/slot/slot.h"
#include "../common/remote/remote.h"
#include "bucket_region.h"
#include "options.h"

enum { S3_PREFIX_CACHE = 64 };

typedef struct s3_filesystem {
  remote remote;                       /* first, for remote_of */
  struct s3_transaction *transactions; /* open ones; with the next two under s3_lock_take_all */
  uint64_t last_transaction;
  pid_t transactions_of;
  char *environment;  /* the secrets of AWS_ variables; NULL for gs */
  char *home;         /* the user's home directory; NULL: unknown */
  char *issued;       /* credentials that were issued for a time (issued.c), */
  uint64_t issued_by; /* by the source with this hash, */
  int64_t issued_end; /* until then, in seconds since 1970 */
  s3_bucket_regions bucket_regions;
  _Atomic(int64_t) clock; /* seconds that the server's clock is ahead of ours */
  _Atomic(uint64_t) prefix_cache[S3_PREFIX_CACHE]; /* prefix_cache.c */
} s3_filesystem;

/* For the scheme s3, and for gs. */
FS_SLOT(init) s3_init;
void s3_init_google(TF_Filesystem *filesystem, TF_Status *status);
FS_SLOT(cleanup) s3_cleanup;

/* Keys are used as they are: paths are not normalized. */
FS_SLOT(translate_name) s3_translate_name;

static inline s3_filesystem *s3_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

#endif
