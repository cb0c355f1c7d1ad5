/* Deletes many objects of a bucket, up to a thousand with one request. */
#ifndef S3_BATCH_H
#define S3_BATCH_H

#include "filesystem.h"
#include "name.h"
#include "strings.h"

/* Starts zeroed but for the first three. */
typedef struct s3_batch {
  const TF_Filesystem *filesystem;
  const s3_name *name; /* of the bucket */
  TF_Status *status;   /* of the first failure */
  uint64_t files;      /* not deleted */
  uint64_t directories;
  bool one_by_one; /* the server does not support the request */
  /* Private. */
  s3_texts keys;
  int count;
} s3_batch;

/* Adds a key. Failures are counted, and the other keys are still deleted. */
void s3_batch_add(s3_batch *batch, const char *key);

/* Deletes the keys added last; the counts are final then. */
void s3_batch_end(s3_batch *batch);

#endif
