/* A filesystem plugin with its tables as they are: without a host, defaults or checks. */
#ifndef MODFS_RUNNER_PLUGIN_H
#define MODFS_RUNNER_PLUGIN_H

#include <modfs/extension.h>

typedef struct runner_plugin {
  TF_FilesystemPluginInfo info;
  TF_Filesystem fs;
  TF_FilesystemOps ops; /* slots that the plugin lacks are NULL */
  TF_RandomAccessFileOps file;
  TF_WritableFileOps writable;
  TF_ReadOnlyMemoryRegionOps region;
  modfs_extension_ops extension;
  bool block_known;             /* what plugin_memory_allocate returns lies in a block of malloc */
  struct runner_plugin *before; /* the one that was opened before it */
} runner_plugin;

/* Loads a file and initialises its filesystem for one scheme; NULL: status says why not. Neither the
 * plugin nor the library is ever unloaded. */
runner_plugin *runner_plugin_open(const char *path, const char *scheme, TF_Status *status);

/* The deviations that a file's extension declares for a scheme: MODFS_SHOWN_AT_CLOSE and so on. */
uint64_t runner_plugin_deviations(const char *path, const char *scheme);

/* Frees the registered tables; the shim reports a fault in that. */
void runner_plugin_free_tables(runner_plugin *plugin);

/* Marks the start and end of a call of the plugin on this thread. Sets errno to a stale value first. */
void runner_enter(void);
void runner_leave(void);

/* Says why an address cannot be from the plugin's allocator; NULL: it can. */
const char *runner_plugin_foreign(const runner_plugin *plugin, const void *address);

#endif
