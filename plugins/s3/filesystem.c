#include "filesystem.h"

#include <stdlib.h>
#include <string.h>

#include "credentials.h"
#include "error.h"
#include "lock.h"
#include "transaction.h"

static void filesystem_free(s3_filesystem *self) {
  if (!self) return;
  s3_credentials_fini(self);
  s3_bucket_regions_free(&self->bucket_regions);
  remote_fini(&self->remote);
  free(self);
}

static void start(TF_Filesystem *filesystem, const option_table *table, TF_Status *status) {
  s3_filesystem *self = s3_lock_init() ? calloc(1, sizeof *self) : NULL;
  if (self && remote_init(&self->remote, table, status) &&
      s3_credentials_init(self, table == &s3_options, status)) {
    filesystem->plugin_filesystem = self;
    return;
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
