/* The registry of plugins, filesystems and platforms: one per process, append-only, read without a
 * lock. */
#ifndef MODFS_CORE_REGISTRY_H
#define MODFS_CORE_REGISTRY_H

#include <sys/types.h>

#include <modfs/modfs.h>

/* Two plugins are the same when these are equal. A file has one claim at a time, whatever it is
 * registered under. */
typedef struct identity {
  dev_t device;
  ino_t inode;
  const char *symbol;
  const modfs_renaming *renaming; /* NULL in a plugin, whose first filesystem tells it */
} identity;

/* Finds a plugin by identity, or claims it for the calling thread; waits while another thread holds
 * the claim. Returns the plugin. NULL with OK: the caller loads the plugin and ends the claim with
 * a successful registry_publish or with registry_give_up. NULL with a failure: the calling thread
 * is already loading this plugin, or memory is short. */
const modfs_plugin *registry_claim(const identity *who, TF_Status *status);

/* ALREADY_EXISTS when one of the plugin's schemes, or its platform's name, is taken. */
void registry_check_free(const modfs_plugin *plugin, TF_Status *status);

/* Publishes the plugin, its filesystems and its platform, all or none, and ends the claim. On
 * ALREADY_EXISTS (a scheme or the platform's name is taken) the claim remains. */
void registry_publish(const identity *who, modfs_plugin *plugin, TF_Status *status);

void registry_give_up(const identity *who);

/* How many forks lie between this process and the first one. An object that keeps the epoch of its
 * creation can tell whether it was inherited through a fork. */
unsigned registry_epoch(void);

#endif
