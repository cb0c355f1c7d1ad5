#include "filesystem.h"

#include <stdlib.h>
#include <string.h>

#include "credentials.h"
#include "error.h"
#include "transaction.h"

static void filesystem_free(s3_filesystem *self) {
  if (!self) return;
  options_fini(&self->options);
  s3_credentials_fini(self);
  s3_homes_free(&self->homes);
  blocks_cache_free(&self->cache);
  s3_lock_free(&self->locks);
  net_client_free(self->client);
  free(self);
}

static void start(TF_Filesystem *filesystem, const option_table *table, TF_Status *status) {
  s3_filesystem *self = calloc(1, sizeof *self);
  if (self && options_init(&self->options, table, status) &&
      s3_credentials_init(self, table == &s3_options, status)) {
    self->client = net_client_new();
    filesystem->plugin_filesystem = self;
    if (self->client) return;
  }
  filesystem->plugin_filesystem = NULL;
  if (TF_GetCode(status) == TF_OK) s3_no_memory(status);
  filesystem_free(self);
}

void s3_init(TF_Filesystem *filesystem, TF_Status *status) {
  start(filesystem, &s3_options, status);
}

void s3_init_google(TF_Filesystem *filesystem, TF_Status *status) {
  start(filesystem, &s3_options_google, status);
}

void s3_cleanup(TF_Filesystem *filesystem) {
  s3_transaction_fini(filesystem);
  filesystem_free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}

char *s3_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return strdup(uri);
}

void s3_flush_caches(const TF_Filesystem *filesystem) {
  blocks_cache_flush(&s3_filesystem_of(filesystem)->cache);
  net_client_rest(s3_filesystem_of(filesystem)->client);
}

void s3_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                     TF_Filesystem_Option **options, int *num_options,
                                     TF_Status *status) {
  options_get(&s3_filesystem_of(filesystem)->options, options, num_options, status);
}

void s3_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                     const TF_Filesystem_Option *options, int num_options,
                                     TF_Status *status) {
  options_set(&s3_filesystem_of(filesystem)->options, options, num_options, status);
}
