#include "filesystem.h"

#include <stdlib.h>

#include "../common/store/plugin.h"
#include "credentials.h"
#include "protocol.h"

static const objects_service *service(const TF_Filesystem *filesystem) {
  (void)filesystem;
  return &s3_protocol;
}

bool s3_filesystem_init(s3_filesystem *self, const option_table *options, bool environment,
                        TF_Status *status) {
  return store_init(&self->objects, options, status) &&
         s3_credentials_init(self, environment, status);
}

void s3_filesystem_fini(s3_filesystem *self) {
  s3_credentials_fini(self);
  s3_bucket_regions_free(&self->bucket_regions);
  store_fini(&self->objects);
}

void s3_init(TF_Filesystem *filesystem, TF_Status *status) {
  s3_filesystem *self = fail_or_allocate(sizeof *self, status);
  filesystem->plugin_filesystem = self;
  if (!self) return;
  self->objects = (objects_filesystem){.scheme = "s3", .service = service};
  if (s3_filesystem_init(self, &s3_options, true, status)) return;
  if (TF_GetCode(status) == TF_OK) fail_no_memory(status);
  s3_cleanup(filesystem);
}

void s3_cleanup(TF_Filesystem *filesystem) {
  s3_filesystem *self = filesystem->plugin_filesystem;
  store_close(filesystem);
  if (self) s3_filesystem_fini(self);
  free(self);
  filesystem->plugin_filesystem = NULL;
}
