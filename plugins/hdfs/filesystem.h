/* The state of one scheme: a remote, and the configuration of Hadoop. */
#ifndef HDFS_FILESYSTEM_H
#define HDFS_FILESYSTEM_H

#include <stdatomic.h>

#include "../common/remote/remote.h"
#include "../common/slot/slot.h"
#include "options.h"
#include "site.h"

enum { HDFS_ACTIVE = 64 };

typedef struct hdfs_kept_site {
  hdfs_site *site;
  int references; /* under the lock, as is the rest */
  int64_t checked_ms;
  char folder[]; /* option conf_dir */
} hdfs_kept_site;

typedef struct hdfs_filesystem {
  remote remote;                  /* first */
  hdfs_kept_site *site;           /* the present one, under the lock; NULL: none was loaded */
  atomic_int active[HDFS_ACTIVE]; /* which name node of a pair answered last, by its hash */
} hdfs_filesystem;

static inline hdfs_filesystem *hdfs_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

FS_SLOT(init) hdfs_init;
FS_SLOT(cleanup) hdfs_cleanup;
FS_SLOT(flush_caches) hdfs_flush_caches;

/* The configuration as the files are now (changes are noticed within a second); NULL on failure. Owns:
 * hdfs_site_give. */
hdfs_kept_site *hdfs_site_take(const TF_Filesystem *filesystem, TF_Status *status);
void hdfs_site_give(hdfs_kept_site *kept);

#endif
