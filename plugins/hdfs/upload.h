/* The content of a file on its way to a data node. A short one is kept whole and sent at once, and again
 * where a data node fails; a longer one is streamed by a thread while the program writes on. */
#ifndef HDFS_UPLOAD_H
#define HDFS_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "call.h"

typedef struct hdfs_upload hdfs_upload;

/* Where a stream goes: CREATE with that query, or APPEND. */
typedef struct hdfs_goal {
  hdfs_name name;
  char query[128]; /* of CREATE: permission, replication, block size */
  bool appends;    /* the file is there */
} hdfs_goal;

/* NULL on failure. Owns: hdfs_upload_free. The goal of streams is the owner's, and lives as long. */
hdfs_upload *hdfs_upload_new(const TF_Filesystem *filesystem, hdfs_goal *goal, TF_Status *status);

/* Gives up what is under way. */
void hdfs_upload_free(hdfs_upload *self);

/* Takes bytes; after a failure each further call fails alike. */
bool hdfs_upload_append(hdfs_upload *self, const char *bytes, size_t n, TF_Status *status);

/* How many bytes it has taken. */
uint64_t hdfs_upload_length(const hdfs_upload *self);

/* Bytes that are kept, for no stream has begun. */
size_t hdfs_upload_kept(const hdfs_upload *self);

/* Whether a stream is under way. */
bool hdfs_upload_streams(const hdfs_upload *self);

/* Ends the stream: true once the data node has confirmed all bytes. */
bool hdfs_upload_end(hdfs_upload *self, TF_Status *status);

/* Sends the bytes that are kept. For an append, base is the length of the file before. */
bool hdfs_upload_send(hdfs_upload *self, const hdfs_goal *goal, uint64_t base, TF_Status *status);

/* Whether it belongs to the parent of this process, which alone may use it. */
bool hdfs_upload_is_inherited(const hdfs_upload *self);

#endif
