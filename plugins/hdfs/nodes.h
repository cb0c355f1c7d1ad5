/* The name nodes of a cluster. */
#ifndef HDFS_NODES_H
#define HDFS_NODES_H

#include "filesystem.h"
#include "name.h"

enum { HDFS_MOST_NODES = 8, HDFS_NODE_SIZE = 300 };

typedef struct hdfs_nodes {
  int count;
  unsigned hash;                              /* of the authority */
  bool has_kerberos;                          /* as configured */
  char urls[HDFS_MOST_NODES][HDFS_NODE_SIZE]; /* http://host:port */
} hdfs_nodes;

/* Finds them from the name and the configuration; the pair of a nameservice in its order there. */
bool hdfs_nodes_find(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_nodes *nodes,
                     TF_Status *status);

/* The same from a given set of properties; http_port is the option. */
bool hdfs_nodes_choose(const hdfs_site *site, const hdfs_name *name, int64_t http_port,
                       hdfs_nodes *nodes, TF_Status *status);

#endif
