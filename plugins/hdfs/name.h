/* Names: hdfs://AUTHORITY/PATH, and those of viewfs, which lead to others. */
#ifndef HDFS_NAME_H
#define HDFS_NAME_H

#include <modfs/filesystem.h>
#include <stdbool.h>

#include "../common/slot/slot.h"

/* Data nodes take no request line of more than 4,096 bytes, so a path has at most so many when it is encoded. */
enum { HDFS_MOST_PATH = 3600, HDFS_MOST_AUTHORITY = 255 };

typedef struct hdfs_name {
  char scheme[16];                         /* "hdfs", "webhdfs", "swebhdfs" or "viewfs" */
  char authority[HDFS_MOST_AUTHORITY + 1]; /* "": the one that the configuration names */
  char path[HDFS_MOST_PATH + 1];           /* clean, from "/" on */
} hdfs_name;

/* Splits a URI; false with INVALID_ARGUMENT or FAILED_PRECONDITION. */
bool hdfs_name_parse(const char *uri, hdfs_name *name, TF_Status *status);

/* Whether both are of one cluster. */
bool hdfs_name_is_beside(const hdfs_name *a, const hdfs_name *b);

static inline bool hdfs_name_is_root(const hdfs_name *name) {
  return name->path[1] == '\0';
}

/* Cuts the path to its parent's; the root stays. */
void hdfs_name_to_parent(hdfs_name *name);

/* The last segment of the path; "" for the root. */
const char *hdfs_name_last(const hdfs_name *name);

/* The path below name, into a name of its own; false where it is too long. */
bool hdfs_name_child(const hdfs_name *name, const char *last, hdfs_name *child, TF_Status *status);

FS_SLOT(translate_name) hdfs_translate_name;

#endif
