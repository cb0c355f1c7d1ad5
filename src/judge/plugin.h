/* A filesystem plugin as its tables are: no host, no defaults and no checks between. */
#ifndef MODFS_JUDGE_PLUGIN_H
#define MODFS_JUDGE_PLUGIN_H

#include <modfs/extension.h>

typedef struct judge_plugin {
  TF_FilesystemPluginInfo info;
  TF_Filesystem fs;
  TF_FilesystemOps ops; /* slots that the plugin has not are NULL */
  TF_RandomAccessFileOps file;
  TF_WritableFileOps writable;
  TF_ReadOnlyMemoryRegionOps region;
  modfs_extension_ops extension;
  size_t offset; /* of what plugin_memory_allocate gives in the block around it, if block_known */
  bool block_known;
  struct judge_plugin *before; /* the one that was opened before it */
} judge_plugin;

/* Loads a file and starts its filesystem for one scheme; NULL: status says why not. It is there for
 * ever, as what it has loaded. */
judge_plugin *judge_plugin_open(const char *path, const char *scheme, TF_Status *status);

/* What a file's extension declares for a scheme: bits of MODFS_SHOWN_AT_CLOSE and so on. */
uint64_t judge_plugin_departures(const char *path, const char *scheme);

/* Frees what was registered; the fault that this makes known is the shim's to tell. */
void judge_plugin_free_tables(judge_plugin *plugin);

/* Begins and ends a call of the plugin by this thread; errno is stale in it. */
void judge_enter(void);
void judge_leave(void);

/* Why an address cannot be one that the plugin's allocator gave; NULL: it can. */
const char *judge_plugin_foreign(const judge_plugin *plugin, const void *address);

#endif
