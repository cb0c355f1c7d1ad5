/* Google Cloud Storage: by its own JSON protocol or, with option protocol=xml, by that of S3. */
#include <stdlib.h>
#include <string.h>

#include "../common/objects/error.h"
#include "../common/store/plugin.h"
#include "../s3/presign.h"
#include "../s3/protocol.h"
#include "filesystem.h"
#include "presign.h"
#include "service.h"
#include "token.h"

static const objects_service *service_of(const TF_Filesystem *filesystem) {
#ifdef MODFS_WITH_CJSON
  const char *protocol = remote_text(filesystem, GS_PROTOCOL);
  if (strcmp(protocol, "json") == 0) return &gs_json;
#endif
  (void)filesystem;
  return &s3_protocol;
}

static void gs_cleanup(TF_Filesystem *filesystem) {
  gs_filesystem *self = filesystem->plugin_filesystem;
  store_close(filesystem);
  if (self) {
    gs_token_fini(self);
    s3_filesystem_fini(&self->s3);
  }
  free(self);
  filesystem->plugin_filesystem = NULL;
}

static void gs_init(TF_Filesystem *filesystem, TF_Status *status) {
  gs_filesystem *self = fail_or_allocate(sizeof *self, status);
  filesystem->plugin_filesystem = self;
  if (!self) return;
  self->s3.objects = (objects_filesystem){.scheme = "gs", .service = service_of};
  if (s3_filesystem_init(&self->s3, &gs_options, false, status) && gs_token_init(self)) return;
  if (TF_GetCode(status) == TF_OK) fail_no_memory(status);
  gs_cleanup(filesystem);
}

static char *presign(const TF_Filesystem *filesystem, const char *path, const char *method,
                     uint64_t seconds, TF_Status *status) {
  bool json = service_of(filesystem) != &s3_protocol;
  return (json ? gs_presign : s3_presign)(filesystem, path, method, seconds, status);
}

static const modfs_extension_ops extension = {STORE_EXTENSION, STORE_XATTRS, .presign = presign};

static const located_scheme schemes[] = {{"gs", gs_init, gs_cleanup}, {.name = NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  store_register(plugin_info, schemes, NULL);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
