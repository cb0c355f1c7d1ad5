#include "plugin.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/dylib.h"
#include "check/shim/shim.h"

/* The stale values of errno: those that code mistakes for an answer, in turn. */
void runner_enter(void) {
  static const int stale[] = {EDOM, EINTR, ENOENT, EEXIST, ERANGE, EAGAIN, EISDIR};
  static atomic_uint calls;
  if (&modfs_shim) modfs_shim.enter();
  errno = stale[atomic_fetch_add(&calls, 1) % (sizeof stale / sizeof *stale)];
}

void runner_leave(void) {
  if (&modfs_shim) modfs_shim.leave();
}

static void copy_table(void *to, size_t size, const void *from, size_t declared) {
  if (from) memcpy(to, from, declared < size ? declared : size);
}

static void copy_tables(runner_plugin *plugin, const TF_FilesystemPluginOps *ops) {
  copy_table(&plugin->ops, sizeof plugin->ops, ops->filesystem_ops, ops->filesystem_ops_size);
  copy_table(&plugin->file, sizeof plugin->file, ops->random_access_file_ops,
             ops->random_access_file_ops_size);
  copy_table(&plugin->writable, sizeof plugin->writable, ops->writable_file_ops,
             ops->writable_file_ops_size);
  copy_table(&plugin->region, sizeof plugin->region, ops->read_only_memory_region_ops,
             ops->read_only_memory_region_ops_size);
}

static const TF_FilesystemPluginOps *find_scheme(const runner_plugin *plugin, const char *scheme) {
  for (size_t i = 0; i < plugin->info.num_schemes; i++)
    if (strcmp(plugin->info.ops[i].scheme, scheme) == 0) return &plugin->info.ops[i];
  return NULL;
}

/* Learns whether the plugin's blocks lie in malloc's. */
static void learn_blocks(runner_plugin *plugin) {
  size_t size;
  if (!&modfs_shim) return;
  char *block = plugin->info.plugin_memory_allocate(24);
  plugin->block_known = block && modfs_shim.block(block, &size) != NULL;
  plugin->info.plugin_memory_free(block);
}

/* An address inside a block may come from an allocator that gives out parts of blocks; where it does
 * not, the shim sees the free of such an address. */
const char *runner_plugin_foreign(const runner_plugin *plugin, const void *address) {
  size_t size;
  bool foreign = plugin->block_known && !modfs_shim.block(address, &size);
  return foreign ? "lies in no block of the plugin's allocator" : NULL;
}

static void find_extension(runner_plugin *plugin, void *library, const char *scheme) {
  void *symbol = dylib_symbol(library, "modfs_extension");
  const modfs_extension_ops *(*extension)(const char *scheme);
  if (!symbol) return;
  memcpy(&extension, &symbol, sizeof extension);
  const modfs_extension_ops *found = extension(scheme);
  if (found) copy_table(&plugin->extension, sizeof plugin->extension, found, found->struct_size);
}

uint64_t runner_plugin_deviations(const char *path, const char *scheme) {
  runner_plugin plugin = {.block_known = false};
  TF_Status *status = TF_NewStatus();
  void *library = status ? dylib_open(path, status) : NULL;
  if (library) find_extension(&plugin, library, scheme);
  TF_DeleteStatus(status);
  return plugin.extension.deviations;
}

static bool start(runner_plugin *plugin, void *library, const char *scheme, TF_Status *status) {
  const TF_FilesystemPluginOps *ops = find_scheme(plugin, scheme);
  if (!ops) {
    TF_SetStatus(status, TF_NOT_FOUND, "the plugin does not serve this scheme");
    return false;
  }
  copy_tables(plugin, ops);
  if (plugin->ops.init) plugin->ops.init(&plugin->fs, status);
  find_extension(plugin, library, scheme);
  learn_blocks(plugin);
  return TF_GetCode(status) == TF_OK;
}

static runner_plugin *plugin_new(TF_Status *status) {
  static runner_plugin *last; /* keeps all plugins reachable, for leak checkers */
  runner_plugin *plugin = calloc(1, sizeof *plugin);
  if (!plugin) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  plugin->before = last;
  return last = plugin;
}

runner_plugin *runner_plugin_open(const char *path, const char *scheme, TF_Status *status) {
  void *library = dylib_open(path, status);
  runner_plugin *plugin = library ? plugin_new(status) : NULL;
  if (!plugin) return NULL;
  void *symbol = dylib_symbol(library, "TF_InitPlugin");
  void (*entry)(TF_FilesystemPluginInfo * info);
  if (!symbol) {
    TF_SetStatus(status, TF_NOT_FOUND, "the file has no TF_InitPlugin");
    return NULL;
  }
  memcpy(&entry, &symbol, sizeof entry);
  runner_enter();
  entry(&plugin->info);
  bool started = start(plugin, library, scheme, status);
  runner_leave();
  return started ? plugin : NULL;
}

void runner_plugin_free_tables(runner_plugin *plugin) {
  void (*give_back)(void *block) = plugin->info.plugin_memory_free;
  for (size_t i = 0; i < plugin->info.num_schemes; i++) {
    TF_FilesystemPluginOps *ops = &plugin->info.ops[i];
    give_back(ops->scheme);
    give_back(ops->filesystem_ops);
    give_back(ops->random_access_file_ops);
    give_back(ops->writable_file_ops);
    give_back(ops->read_only_memory_region_ops);
  }
  give_back(plugin->info.ops);
  plugin->info.num_schemes = 0;
  plugin->info.ops = NULL;
}
