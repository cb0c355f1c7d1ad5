#include "filesystem.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"

static void filesystem_free(http_filesystem *self) {
  if (!self) return;
  options_fini(&self->options);
  blocks_cache_free(&self->cache);
  net_client_free(self->client);
  free(self);
}

void http_init(TF_Filesystem *filesystem, TF_Status *status) {
  http_filesystem *self = calloc(1, sizeof *self);
  if (self && options_init(&self->options, &http_options, status)) {
    self->client = net_client_new();
    filesystem->plugin_filesystem = self;
    if (self->client) return;
  }
  filesystem->plugin_filesystem = NULL;
  if (TF_GetCode(status) == TF_OK) http_no_memory(status);
  filesystem_free(self);
}

void http_cleanup(TF_Filesystem *filesystem) {
  filesystem_free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}

/* Only the server knows what a URL means, so it is not normalized. The fragment is not sent. */
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return strndup(uri, strcspn(uri, "#"));
}

void http_flush_caches(const TF_Filesystem *filesystem) {
  blocks_cache_flush(&http_filesystem_of(filesystem)->cache);
  net_client_rest(http_filesystem_of(filesystem)->client);
}

void http_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                       TF_Filesystem_Option **options, int *num_options,
                                       TF_Status *status) {
  options_get(&http_filesystem_of(filesystem)->options, options, num_options, status);
}

void http_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                       const TF_Filesystem_Option *options, int num_options,
                                       TF_Status *status) {
  options_set(&http_filesystem_of(filesystem)->options, options, num_options, status);
}
