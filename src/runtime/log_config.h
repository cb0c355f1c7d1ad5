/* The log's settings, read from the environment once. */
#ifndef MODFS_LOG_CONFIG_H
#define MODFS_LOG_CONFIG_H

#include <stdbool.h>

typedef struct modfs_log_config {
  int min_level;
  int max_vlog;
  bool thread_id;
  int fd;              /* lines are written to it */
  const char *vmodule; /* "name=level,…", or NULL */
} modfs_log_config;

const modfs_log_config *modfs_log_config_get(void);

/* Whether a TF_VLog of this level is written for a module. */
bool modfs_log_config_allows(const modfs_log_config *config, const char *module, int level);

#endif
