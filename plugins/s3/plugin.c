/* Objects in stores with the S3 protocol. */
#include <string.h>

#include "presign.h"
#include "service.h"

static const modfs_extension_ops extension = {STORE_EXTENSION, .presign = s3_presign};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  store_register(plugin_info, s3_served, NULL);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return scheme && strcmp(scheme, s3_served[0].name) == 0 ? &extension : NULL;
}
