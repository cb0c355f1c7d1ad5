/* Deleting many objects of a bucket, up to a thousand by one request. */
#ifndef S3_BATCH_H
#define S3_BATCH_H

#include "filesystem.h"
#include "name.h"

/* Starts zeroed but for the first three. */
typedef struct s3_batch {
  const TF_Filesystem *filesystem;
  const s3_name *name; /* of the bucket */
  TF_Status *status;   /* of the first failure */
  uint64_t files;      /* not deleted */
  uint64_t directories;
  bool one_by_one; /* the server knows no such request */
  /* Its own. */
  char *keys; /* each ends in NUL */
  size_t length;
  size_t room;
  int count;
} s3_batch;

/* What fails is counted, and the rest goes on. */
void s3_batch_add(s3_batch *batch, const char *key);

/* Deletes what was added last; then the counts are final. */
void s3_batch_end(s3_batch *batch);

#endif
