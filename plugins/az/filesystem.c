#include "filesystem.h"

#include <stdlib.h>

#include "../common/store/plugin.h"
#include "access.h"
#include "service.h"

static const objects_service *service_of(const TF_Filesystem *filesystem) {
  (void)filesystem;
  return &az_service;
}

static void start(TF_Filesystem *filesystem, const char *scheme, TF_Status *status) {
  az_filesystem *self = fail_or_allocate(sizeof *self, status);
  filesystem->plugin_filesystem = self;
  if (!self) return;
  self->objects = (objects_filesystem){.scheme = scheme, .service = service_of};
  if (store_init(&self->objects, &az_options, status) && az_access_init(self, status)) return;
  if (TF_GetCode(status) == TF_OK) fail_no_memory(status);
  az_cleanup(filesystem);
}

void az_init(TF_Filesystem *filesystem, TF_Status *status) {
  start(filesystem, "az", status);
}

void az_init_abfs(TF_Filesystem *filesystem, TF_Status *status) {
  start(filesystem, "abfs", status);
}

void az_init_abfss(TF_Filesystem *filesystem, TF_Status *status) {
  start(filesystem, "abfss", status);
}

void az_cleanup(TF_Filesystem *filesystem) {
  az_filesystem *self = az_filesystem_of(filesystem);
  store_close(filesystem);
  if (self) {
    az_access_fini(self);
    store_fini(&self->objects);
  }
  free(self);
  filesystem->plugin_filesystem = NULL;
}
