/* The options of hdfs, webhdfs, swebhdfs and viewfs. */
#ifndef HDFS_OPTIONS_H
#define HDFS_OPTIONS_H

#include "../common/options/options.h"

typedef enum hdfs_option {
  HDFS_CONNECT_TIMEOUT_MS,
  HDFS_IDLE_TIMEOUT_MS,
  HDFS_TOTAL_TIMEOUT_MS,
  HDFS_RETRIES,
  HDFS_CACHE_BYTES,
  HDFS_PARALLEL,
  HDFS_BUFFER_BYTES,
  HDFS_HTTP_PORT,
  HDFS_REPLICATION,
  HDFS_BLOCK_BYTES,
  HDFS_NEGOTIATE,
  HDFS_CONF_DIR,
  HDFS_USER,
  HDFS_DO_AS,
  HDFS_TOKEN_FILE,
  HDFS_CA_FILE,
  HDFS_USER_AGENT,
  HDFS_TOKEN,
  HDFS_OPTIONS
} hdfs_option;

extern const option_table hdfs_options;

#endif
