/* Who is registered: one for the process, growing only, read without a lock. */
#ifndef MODFS_CORE_REGISTRY_H
#define MODFS_CORE_REGISTRY_H

#include <sys/types.h>

#include <modfs/modfs.h>

/* What makes a plugin the same plugin. */
typedef struct identity {
  dev_t device;
  ino_t inode;
  const char *symbol;
  const modfs_renaming
      *renaming; /* no part of it: how it is to be registered, while it is loaded */
} identity;

/* Finds a plugin by identity, or makes the caller the one who loads it: waits while another thread
 * does. Returns the plugin; NULL with OK: the caller loads, and ends with registry_publish or
 * registry_give_up; NULL with a failure: the caller's own thread is loading it already. */
const modfs_plugin *registry_claim(const identity *who, TF_Status *status);

/* ALREADY_EXISTS when one of the plugin's schemes is taken. */
void registry_check_free(const modfs_plugin *plugin, TF_Status *status);

/* Makes the plugin and its filesystems known, all or none: ALREADY_EXISTS when a scheme is taken.
 */
void registry_publish(const identity *who, modfs_plugin *plugin, TF_Status *status);

void registry_give_up(const identity *who);

/* How many forks lie between this process and the first; tells whose handle it is. */
unsigned registry_epoch(void);

#endif
