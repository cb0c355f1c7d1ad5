#include "filesystem.h"

#include <stdlib.h>

#include "../common/store/plugin.h"
#include "credentials.h"
#include "protocol.h"

static const objects_service *service(const TF_Filesystem *filesystem) {
  (void)filesystem;
  return &s3_protocol;
}

static void filesystem_free(s3_filesystem *self) {
  if (!self) return;
  s3_credentials_fini(self);
  s3_bucket_regions_free(&self->bucket_regions);
  store_fini(&self->objects);
  free(self);
}

void s3_init(TF_Filesystem *filesystem, TF_Status *status) {
  s3_filesystem *self = calloc(1, sizeof *self);
  if (self) self->objects = (objects_filesystem){.scheme = "s3", .service = service};
  if (self && store_init(&self->objects, &s3_options, status) &&
      s3_credentials_init(self, true, status)) {
    filesystem->plugin_filesystem = self;
    return;
  }
  filesystem->plugin_filesystem = NULL;
  if (TF_GetCode(status) == TF_OK) fail_no_memory(status);
  filesystem_free(self);
}

void s3_cleanup(TF_Filesystem *filesystem) {
  store_close(filesystem);
  filesystem_free(filesystem->plugin_filesystem);
  filesystem->plugin_filesystem = NULL;
}
