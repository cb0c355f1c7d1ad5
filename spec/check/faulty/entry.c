#include "faulty.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The plugin's sources are compiled with their entry points under other names; BASE is the scheme
 * that they know. */
#undef TF_InitPlugin
#undef modfs_extension
TF_CAPI_EXPORT extern void TF_InitPlugin(TF_FilesystemPluginInfo *info);
TF_CAPI_EXPORT extern const modfs_extension_ops *modfs_extension(const char *scheme);
extern void base_init_plugin(TF_FilesystemPluginInfo *info);
extern const modfs_extension_ops *base_extension(const char *scheme);

TF_FilesystemOps good;
TF_RandomAccessFileOps good_reader;
TF_WritableFileOps good_writer;
TF_ReadOnlyMemoryRegionOps good_region;
modfs_extension_ops good_extension;
static modfs_extension_ops extension;

int reader_fd(const TF_RandomAccessFile *file) {
  return *(const int *)file->plugin_file;
}

int writer_fd(const TF_WritableFile *file) {
  return *(const int *)file->plugin_file;
}

static void entry_name(char *name, size_t size) {
  Dl_info here;
  if (!dladdr(&good, &here)) return;
  const char *slash = strrchr(here.dli_fname, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : here.dli_fname);
  size_t length = strlen(name);
  if (length > 3) name[length - 3] = '\0';
}

static char *translate_name(FS, const char *uri) {
  const char *rest = strstr(uri, "://");
  if (!rest) return good.translate_name(fs, uri);
  size_t size = strlen(BASE) + strlen(rest) + 1;
  char *known = malloc(size);
  if (!known) return NULL;
  snprintf(known, size, "%s%s", BASE, rest);
  char *name = good.translate_name(fs, known);
  free(known);
  return name;
}

static bool apply(faulty_tables *tables, const char *name) {
  return strncmp(name, "good", 4) == 0 || call_fault_apply(tables, name) ||
         thread_fault_apply(tables, name) || storage_fault_apply(tables, name) ||
         entry_fault_apply(tables, name);
}

static void free_tables(const TF_FilesystemPluginOps *ops) {
  free(ops->scheme);
  free(ops->filesystem_ops);
  free(ops->random_access_file_ops);
  free(ops->writable_file_ops);
  free(ops->read_only_memory_region_ops);
}

/* Only the scheme BASE stays, under another name. */
static TF_FilesystemPluginOps *rename_base(TF_FilesystemPluginInfo *info, const char *name) {
  TF_FilesystemPluginOps base = {0};
  for (size_t i = 0; i < info->num_schemes; i++) {
    if (strcmp(info->ops[i].scheme, BASE) == 0)
      base = info->ops[i];
    else
      free_tables(&info->ops[i]);
  }
  info->ops[0] = base;
  info->num_schemes = 1;
  free(info->ops[0].scheme);
  info->ops[0].scheme = strdup(name);
  return info->ops;
}

void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  char name[256] = "";
  entry_name(name, sizeof name);
  base_init_plugin(info);
  TF_FilesystemPluginOps *ops = rename_base(info, name);
  good = *ops->filesystem_ops;
  good_reader = *ops->random_access_file_ops;
  good_writer = *ops->writable_file_ops;
  good_region = *ops->read_only_memory_region_ops;
  good_extension = *base_extension(BASE);
  extension = good_extension;
  ops->filesystem_ops->translate_name = translate_name;
  faulty_tables tables = {ops->filesystem_ops, ops->random_access_file_ops, ops->writable_file_ops,
                          ops->read_only_memory_region_ops, &extension};
  if (!apply(&tables, name)) info->num_schemes = 0;
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  (void)scheme;
  return &extension;
}
