/* What filesystems on servers keep alike: connections, options and the block cache, and the slots that
 * need no more than these. A plugin's own state begins with a remote. */
#ifndef REMOTE_REMOTE_H
#define REMOTE_REMOTE_H

#include "../slot/slot.h"
#include "../blocks/cache.h"
#include "../net/net.h"
#include "../options/options.h"

typedef struct remote {
  option_set options; /* first, for its slots */
  net_client *client;
  blocks_cache_place cache;
} remote;

/* Starts zeroed. false: status says why, and the caller still calls remote_fini. */
bool remote_init(remote *self, const option_table *table, TF_Status *status);
void remote_fini(remote *self);

static inline remote *remote_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

/* The current value of an option, by its place in the table. */
static inline int64_t remote_number(const TF_Filesystem *filesystem, int which) {
  return options_here(&remote_of(filesystem)->options)->items[which].number;
}

/* Owns: the filesystem, until it is closed. */
static inline const char *remote_text(const TF_Filesystem *filesystem, int which) {
  return options_here(&remote_of(filesystem)->options)->items[which].text;
}

/* Slots. */
FS_SLOT(flush_caches) remote_flush_caches;
EXTENSION_SLOT(accept_interruption) remote_accept_interruption;

#endif
