#include "schemes.h"

void located_register(TF_FilesystemPluginInfo *plugin_info, const located_scheme *schemes,
                      const modfs_register_tables *tables, located_show *shown) {
  for (; schemes->name; schemes++) {
    TF_FilesystemOps located = *tables->filesystem;
    modfs_register_tables registered = *tables;
    if (schemes->init) located.init = schemes->init;
    if (schemes->cleanup) located.cleanup = schemes->cleanup;
    located_table(&located, tables->filesystem, shown);
    registered.filesystem = &located;
    modfs_register_scheme(plugin_info, schemes->name, &registered);
  }
}

bool located_serves(const located_scheme *schemes, const char *scheme) {
  for (; scheme && schemes->name; schemes++)
    if (strcmp(scheme, schemes->name) == 0) return true;
  return false;
}
