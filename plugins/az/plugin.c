/* Blobs in Azure's storage accounts. */
#include "../common/store/plugin.h"

#include "append.h"
#include "filesystem.h"
#include "presign.h"

static const modfs_extension_ops extension = {
    STORE_EXTENSION_OF(az_open_writer, az_set_writer_attributes), STORE_XATTRS,
    .presign = az_presign};

static const located_scheme schemes[] = {{"az", az_init, az_cleanup},
                                         {"abfs", az_init_abfs, az_cleanup},
                                         {"abfss", az_init_abfss, az_cleanup},
                                         {NULL, NULL, NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  static TF_FilesystemOps operations;
  modfs_register_tables tables = store_tables;
  operations = *store_tables.filesystem;
  operations.new_writable_file = az_new_writable_file;
  operations.new_appendable_file = az_new_appendable_file;
  tables.filesystem = &operations;
  tables.writable_file = &az_writable_ops;
  store_register(plugin_info, schemes, &tables);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
