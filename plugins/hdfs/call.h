/* Requests to name nodes, with fail-over between those of a pair, and to the data nodes that they name. */
#ifndef HDFS_CALL_H
#define HDFS_CALL_H

#include "../common/net/stream.h"
#include "error.h"
#include "filesystem.h"
#include "json.h"
#include "name.h"

typedef struct hdfs_call {
  const char *method;
  const char *op;    /* GETFILESTATUS and so on */
  const char *query; /* further parameters, each with its "&"; NULL: none */
  bool redirects;    /* the answer is the URL of a data node */
  bool cleans_up;    /* one attempt; after an interruption, too */
} hdfs_call;

/* Starts zeroed; hdfs_answer_fini frees it. */
typedef struct hdfs_answer {
  int http_status; /* 0: none came */
  hdfs_error error;
  bool is_untold;   /* an attempt failed in a way that leaves open whether it was performed */
  json_value *json; /* the body; NULL where it is none */
  char *location;   /* of a redirect */
} hdfs_answer;

void hdfs_answer_fini(hdfs_answer *answer);

/* Asks a name node; false with a failure. */
bool hdfs_call_run(const TF_Filesystem *filesystem, const hdfs_name *name, const hdfs_call *call,
                   hdfs_answer *answer, TF_Status *status);

/* The same where the answer is not needed. */
bool hdfs_call_plain(const TF_Filesystem *filesystem, const hdfs_name *name, const hdfs_call *call,
                     TF_Status *status);

/* The status of what a name leads to. */
bool hdfs_call_status(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                      TF_Status *status);

/* A request to a data node. */
typedef struct hdfs_transfer {
  const char *method;
  const char *op;
  const char *url;
  const net_source *source; /* NULL: none */
  net_sink sink;            /* of a body that is content; its begin is called for 200 alone */
  bool is_endless;          /* lasts as long as its other side does */
  net_stream **stream; /* NULL: the sink takes the content; otherwise who reads it from there */
} hdfs_transfer;

/* Sends it once; false with a failure. */
bool hdfs_transfer_run(const TF_Filesystem *filesystem, const hdfs_transfer *transfer,
                       hdfs_error *error, TF_Status *status);

/* Makes "&excludedatanodes=host" of the URL of a data node: a port would be taken for that of its own protocol.
 * False where that is no such URL. */
bool hdfs_exclude(const char *url, char *query, size_t size);

#endif
