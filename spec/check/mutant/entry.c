#include "mutant.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The memory plugin's sources are compiled with its entry point under another name. */
#undef TF_InitPlugin
TF_CAPI_EXPORT extern void TF_InitPlugin(TF_FilesystemPluginInfo *info);
extern void memory_init_plugin(TF_FilesystemPluginInfo *info);

TF_FilesystemOps good;
TF_RandomAccessFileOps good_reader;
TF_WritableFileOps good_writer;
TF_ReadOnlyMemoryRegionOps good_region;

bool mutant_is_directory(const TF_Filesystem *fs, const char *path) {
  TF_Status *status = TF_NewStatus();
  if (!status) return false;
  bool answer = good.is_directory(fs, path, status) && TF_GetCode(status) == TF_OK;
  TF_DeleteStatus(status);
  return answer;
}

bool mutant_is_file(const TF_Filesystem *fs, const char *path) {
  TF_Status *status = TF_NewStatus();
  if (!status) return false;
  good.path_exists(fs, path, status);
  bool answer = TF_GetCode(status) == TF_OK && !mutant_is_directory(fs, path);
  TF_DeleteStatus(status);
  return answer;
}

static void entry_name(char *name, size_t size) {
  Dl_info here;
  if (!dladdr(&good, &here)) return;
  const char *slash = strrchr(here.dli_fname, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : here.dli_fname);
  size_t length = strlen(name);
  if (length > 3) name[length - 3] = '\0';
}

__attribute__((constructor)) static void constructor(void) {
  char name[256] = "";
  entry_name(name, sizeof name);
  if (strncmp(name, "constructor.", 12) == 0) crash_apply(NULL, name);
}

/* A misspelt name must not pass for a good plugin. */
static bool apply(mutant_tables *tables, const char *name) {
  return form_apply(tables, name) || strncmp(name, "constructor.", 12) == 0 ||
         file_fault_apply(tables, name) || tree_fault_apply(tables, name) ||
         output_fault_apply(tables, name) || answer_fault_apply(tables, name) ||
         crash_apply(tables, name);
}

void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  char name[256] = "";
  entry_name(name, sizeof name);
  memory_init_plugin(info);
  TF_FilesystemPluginOps *ops = info->ops;
  good = *ops->filesystem_ops;
  good_reader = *ops->random_access_file_ops;
  good_writer = *ops->writable_file_ops;
  good_region = *ops->read_only_memory_region_ops;
  free(ops->scheme);
  ops->scheme = strdup(name);
  mutant_tables tables = {ops->filesystem_ops,
                          ops->random_access_file_ops,
                          ops->writable_file_ops,
                          ops->read_only_memory_region_ops,
                          ops,
                          info};
  if (!apply(&tables, name)) info->num_schemes = 0;
}
