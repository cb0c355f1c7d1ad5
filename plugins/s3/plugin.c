/* Objects in stores with the S3 protocol. */
#include "../common/store/plugin.h"
#include "filesystem.h"
#include "presign.h"

static const modfs_extension_ops extension = {STORE_EXTENSION, STORE_XATTRS, .presign = s3_presign};

static const located_scheme schemes[] = {{"s3", s3_init, s3_cleanup}, {.name = NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  store_register(plugin_info, schemes, NULL);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
