/* What a path leads to: a name of a cluster, or a directory of a mount table of viewfs. */
#ifndef HDFS_PLACE_H
#define HDFS_PLACE_H

#include "filesystem.h"
#include "name.h"
#include "../common/remote/strings.h"

typedef struct hdfs_place {
  hdfs_name
      name; /* in the cluster; of a directory of the mount table the fallback's, if it has one */
  hdfs_name mounted; /* the name in viewfs */
  bool is_virtual;   /* a directory that the mount table alone has, or has beside the fallback */
  bool has_fallback;
  bool is_mount; /* a link of the mount table itself */
} hdfs_place;

/* False on failure: NOT_FOUND for a path of viewfs that leads nowhere. */
bool hdfs_place_find(const TF_Filesystem *filesystem, const char *path, hdfs_place *place,
                     TF_Status *status);

/* The same for what is to be changed: directories and links of a mount table are read-only. */
bool hdfs_place_find_own(const TF_Filesystem *filesystem, const char *path, hdfs_place *place,
                         TF_Status *status);

/* Adds the names that the mount table has in a virtual directory, each once. */
bool hdfs_place_list(const TF_Filesystem *filesystem, const hdfs_place *place,
                     remote_strings *names, TF_Status *status);

/* Resolves a name of viewfs by a given set of properties. */
bool hdfs_place_resolve(const hdfs_site *site, hdfs_place *place, TF_Status *status);

#endif
