/* What is known of a plugin. It is complete before the registry publishes it, and constant from then
 * on: no lock is needed, and every pointer returned here stays valid as long as the process. Facts of
 * the extension and versions of tables are those of the first scheme. */
#include "plugin.h"

const char *modfs_plugin_path(const modfs_plugin *plugin) {
  return plugin->path;
}

size_t modfs_plugin_scheme_count(const modfs_plugin *plugin) {
  return plugin->count;
}

const char *modfs_plugin_scheme(const modfs_plugin *plugin, size_t index) {
  return plugin->filesystems[index]->tables.scheme;
}

const char *modfs_plugin_author(const modfs_plugin *plugin) {
  return plugin->count ? plugin->filesystems[0]->extension.author : NULL;
}

const char *modfs_plugin_version(const modfs_plugin *plugin) {
  return plugin->count ? plugin->filesystems[0]->extension.version : NULL;
}

const char *modfs_plugin_url(const modfs_plugin *plugin) {
  return plugin->count ? plugin->filesystems[0]->extension.url : NULL;
}

modfs_version modfs_plugin_table(const modfs_plugin *plugin, modfs_table table) {
  const tables *first = plugin->count ? &plugin->filesystems[0]->tables : NULL;
  return first && first->present[table] ? first->versions[table] : (modfs_version){0, 0, 0};
}

const char *modfs_plugin_warning(const modfs_plugin *plugin) {
  return plugin->warning;
}

const modfs_platform *modfs_plugin_platform(const modfs_plugin *plugin) {
  return plugin->platform;
}
