/* The state that all handles of one scheme share. */
#ifndef HTTP_FILESYSTEM_H
#define HTTP_FILESYSTEM_H

#include <modfs/filesystem.h>

#include "../common/net/net.h"
#include "../common/blocks/cache.h"
#include "options.h"

typedef struct http_filesystem {
  net_client *client;
  option_set options;
  blocks_cache_place cache;
} http_filesystem;

void http_init(TF_Filesystem *filesystem, TF_Status *status);
void http_cleanup(TF_Filesystem *filesystem);
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri);
void http_flush_caches(const TF_Filesystem *filesystem);
void http_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                       TF_Filesystem_Option **options, int *num_options,
                                       TF_Status *status);
void http_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                       const TF_Filesystem_Option *options, int num_options,
                                       TF_Status *status);

static inline http_filesystem *http_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

static inline int64_t http_number(const TF_Filesystem *filesystem, http_option which) {
  return options_here(&http_filesystem_of(filesystem)->options)->items[which].number;
}

/* Owns: the filesystem, until it is closed. */
static inline const char *http_text(const TF_Filesystem *filesystem, http_option which) {
  return options_here(&http_filesystem_of(filesystem)->options)->items[which].text;
}

#endif
