/* A loaded plugin, the filesystems and the platform that it registered, as the registry keeps them.
 * All of them live as long as the process. Once published, a plugin does not change, a filesystem
 * changes in its list of transactions alone (transaction.c), and a platform in its devices (device.c
 * states those invariants). */
#ifndef MODFS_CORE_PLUGIN_H
#define MODFS_CORE_PLUGIN_H

#include <pthread.h>
#include <stdatomic.h>

#include <modfs/device.h>

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

struct modfs_fs {
  TF_Filesystem handle; /* first: a plugin's pointer to it leads back here */
  modfs_plugin *plugin;
  tables tables;                           /* complete: no slot is NULL after defaults_fill */
  modfs_extension_ops extension;           /* complete after extension_settle */
  const struct directory_ops *directories; /* access by handles or by paths: directory.h */
  const char *origins[MODFS_FS_OPERATIONS];
  const char *extension_origins[MODFS_FS_EXTENSIONS];
  bool tells_links;        /* lstat is the plugin's: links can be detected */
  bool may_have_links;     /* not if the plugin knows of slots for links, and has none */
  bool has_links;          /* they can be detected, read and created */
  bool readers_tell;       /* a file tells its attributes when it is opened */
  bool keeps_xattrs;       /* extended attributes can be read and set */
  bool sets_attributes;    /* some can be set, of a file or while it is written */
  bool lists_in_blocks;    /* next_entries is the plugin's */
  bool copies_keep;        /* copy_entry_keeping is the plugin's */
  bool joins;              /* serves schemes that are joined to its own */
  uint32_t anew;           /* flags for every file that is opened to replace its content */
  bool renamed;            /* registered under another scheme than the plugin's own: */
  char served[SCHEME_MAX]; /* this one, which the plugin sees in URIs */
  bool names_by_default; /* translate_name is the host's, which returns NULL when memory is short */
  bool plain; /* names are paths, cleaned by the default: a clean one need not be copied */
  pthread_mutex_t lock; /* guards transactions */
  modfs_transaction *transactions;
  modfs_fs *_Atomic next;
};

struct modfs_platform {
  const modfs_plugin *plugin;
  const char *name;
  const char *type;
  struct device_abi *abi; /* device_abi.h; complete before the platform is published */
  pthread_mutex_t lock;   /* guards the next four, and references and next of each core */
  struct device_core *devices;
  bool busy;              /* a thread is in the plugin, creating or destroying a device */
  pthread_cond_t settled; /* signalled when it is no longer busy */
  unsigned epoch;         /* of the process whose devices these are */
  modfs_platform *_Atomic next;
};

#endif
