/* The configuration is one kept_site for each state of the files. `site` holds a reference, and each caller
 * that works with it another; the last one frees it. remote_lock_take_all guards the pointer, the references
 * and checked_ms, for all schemes. Files are read without it, so two threads may load the same files, and the
 * later one's are kept. */
#include "filesystem.h"

#include <stdlib.h>
#include <string.h>

#include "../common/remote/lock.h"
#include "error.h"

enum { FRESH_MS = 1000 };

void hdfs_init(TF_Filesystem *filesystem, TF_Status *status) {
  hdfs_filesystem *self = remote_lock_init() ? calloc(1, sizeof *self) : NULL;
  filesystem->plugin_filesystem = self;
  if (!self)
    fail_no_memory(status);
  else if (!remote_init(&self->remote, &hdfs_options, status))
    hdfs_cleanup(filesystem);
}

void hdfs_cleanup(TF_Filesystem *filesystem) {
  hdfs_filesystem *self = hdfs_filesystem_of(filesystem);
  if (!self) return;
  hdfs_site_give(self->site);
  remote_fini(&self->remote);
  free(self);
  filesystem->plugin_filesystem = NULL;
}

static hdfs_kept_site *exchange(hdfs_filesystem *self, hdfs_kept_site *made) {
  pthread_mutex_t *taken = remote_lock_take_all();
  hdfs_kept_site *old = self->site;
  self->site = made;
  if (made) made->references++;
  remote_lock_give(taken);
  return old;
}

void hdfs_flush_caches(const TF_Filesystem *filesystem) {
  remote_flush_caches(filesystem);
  hdfs_site_give(exchange(hdfs_filesystem_of(filesystem), NULL));
}

void hdfs_site_give(hdfs_kept_site *kept) {
  if (!kept) return;
  pthread_mutex_t *taken = remote_lock_take_all();
  bool last = --kept->references == 0;
  remote_lock_give(taken);
  if (!last) return;
  hdfs_site_free(kept->site);
  free(kept);
}

/* The kept one, referenced, if it is of that folder; whether it counts as fresh. */
static hdfs_kept_site *recall(hdfs_filesystem *self, const char *folder, bool *is_fresh) {
  pthread_mutex_t *taken = remote_lock_take_all();
  hdfs_kept_site *kept = self->site;
  if (kept && strcmp(kept->folder, folder) != 0) kept = NULL;
  if (kept) {
    int64_t now = net_now();
    kept->references++;
    *is_fresh = now - kept->checked_ms < FRESH_MS;
    kept->checked_ms = now;
  }
  remote_lock_give(taken);
  return kept;
}

hdfs_kept_site *hdfs_site_take(const TF_Filesystem *filesystem, TF_Status *status) {
  hdfs_filesystem *self = hdfs_filesystem_of(filesystem);
  const char *folder = remote_text(filesystem, HDFS_CONF_DIR);
  bool is_fresh = false;
  hdfs_kept_site *kept = recall(self, folder, &is_fresh);
  if (kept && (is_fresh || hdfs_site_is_present(kept->site, folder))) return kept;
  hdfs_site_give(kept);
  size_t size = strlen(folder) + 1;
  hdfs_site *site = hdfs_site_load(folder, status);
  hdfs_kept_site *made = site ? calloc(1, sizeof *made + size) : NULL;
  if (!made) {
    if (site) fail_no_memory(status);
    hdfs_site_free(site);
    return NULL;
  }
  made->site = site;
  made->references = 1;
  made->checked_ms = net_now();
  memcpy(made->folder, folder, size);
  hdfs_site_give(exchange(self, made));
  return made;
}
