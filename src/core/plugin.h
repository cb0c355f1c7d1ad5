/* A loaded plugin, for floors 2 and 3. Nothing of it changes once it is published. */
#ifndef MODFS_CORE_PLUGIN_H
#define MODFS_CORE_PLUGIN_H

#include <stdatomic.h>

#include "platform.h"
#include "registry.h"
#include "tables.h"

struct modfs_plugin {
  identity who;
  char *path;
  char *warning;
  memory_allocate allocate;
  memory_free free;
  modfs_platform *platform; /* NULL: none */
  size_t count;             /* of filesystems; 0 in a plugin for devices only */
  modfs_fs **filesystems;
  modfs_plugin *_Atomic next;
};

/* Frees a plugin that was never published, and its filesystems. */
void plugin_free(modfs_plugin *plugin);

#endif
