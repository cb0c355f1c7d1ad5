#include "filesystem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static void filesystem_free(http_filesystem *self) {
  if (!self) return;
  http_options_free(atomic_load(&self->options));
  blocks_cache_free(&self->cache);
  net_client_free(self->client);
  free(self);
}

void http_init(TF_Filesystem *filesystem, TF_Status *status) {
  http_filesystem *self = calloc(1, sizeof *self);
  if (self) {
    self->client = net_client_new();
    atomic_init(&self->options, http_options_new(status));
  }
  if (self && self->client && atomic_load(&self->options)) {
    filesystem->plugin_filesystem = self;
    return;
  }
  if (TF_GetCode(status) == TF_OK) http_no_memory(status);
  filesystem_free(self);
}

void http_cleanup(TF_Filesystem *filesystem) {
  filesystem_free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}

/* A URL means what the server makes of it: nothing of it is cleaned. What follows # is the reader's. */
char *http_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return strndup(uri, strcspn(uri, "#"));
}

void http_flush_caches(const TF_Filesystem *filesystem) {
  blocks_cache_flush(&http_filesystem_of(filesystem)->cache);
  net_client_rest(http_filesystem_of(filesystem)->client);
}

const http_options *http_options_of(const TF_Filesystem *filesystem) {
  return atomic_load(&http_filesystem_of(filesystem)->options);
}
