/* The JSON of answers. */
#ifndef HDFS_JSON_H
#define HDFS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/json/json.h"

/* A FileStatus. */
typedef struct hdfs_status {
  bool is_directory;
  bool is_link;
  uint64_t id; /* 0: the server tells none */
  int64_t length;
  int64_t mtime_ms;
  int64_t atime_ms;
  int64_t block_bytes;
  int64_t replication;
  uint32_t mode;
  char owner[256]; /* "" where the server tells none, or one that is too long */
  char group[256];
} hdfs_status;

/* False where it is no FileStatus. */
bool hdfs_json_status(const json_value *object, hdfs_status *found);

/* A listing: the array of the FileStatus objects, or NULL where it is none; whether more follow. Owns: root. */
const json_value *hdfs_json_listing(const json_value *root, bool *more);

/* The name of an entry, or NULL for one that no path can have. Owns: entry. */
const char *hdfs_json_name(const json_value *entry);

/* A {"boolean": …}; false where it is none. */
bool hdfs_json_boolean(const json_value *root, bool *value);

#endif
