/* Deletes many objects of a bucket, as many with one request as the service takes. */
#ifndef STORE_BATCH_H
#define STORE_BATCH_H

#include "../objects/filesystem.h"

/* Starts by store_batch_init. */
typedef struct store_batch {
  objects_batch keys;
  objects_batch_counts left;
  bool one_by_one; /* the server does not support the request for many */
} store_batch;

/* status: of the first failure. The batch must not move. */
void store_batch_init(store_batch *batch, const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status);

/* Adds a key. Failures are counted, and the other keys are still deleted. */
void store_batch_add(store_batch *batch, const char *key);

/* Deletes the keys added last; the counts are final then. */
void store_batch_end(store_batch *batch);

#endif
