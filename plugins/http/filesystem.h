/* What the handles of one scheme share. */
#ifndef HTTP_FILESYSTEM_H
#define HTTP_FILESYSTEM_H

#include <modfs/filesystem.h>

#include "../net/net.h"
#include "../blocks/cache.h"
#include "options.h"

typedef struct http_filesystem {
  net_client *client;
  _Atomic(http_options *) options;
  blocks_cache_place cache;
} http_filesystem;

void http_init(TF_Filesystem *filesystem, TF_Status *status);
void http_cleanup(TF_Filesystem *filesystem);
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri);
void http_flush_caches(const TF_Filesystem *filesystem);

static inline http_filesystem *http_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

const http_options *http_options_of(const TF_Filesystem *filesystem);

#endif
