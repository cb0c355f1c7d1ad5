/* Many keys of a bucket, to delete. */
#ifndef OBJECTS_BATCH_H
#define OBJECTS_BATCH_H

#include "name.h"
#include "texts.h"

typedef struct objects_batch {
  const TF_Filesystem *filesystem;
  const objects_name *name; /* of the bucket */
  int count;                /* keys */
  objects_texts keys;       /* each with its NUL */
  struct objects_batch_counts *counts;
} objects_batch;

/* What is left. */
typedef struct objects_batch_counts {
  TF_Status *status; /* of the first failure */
  uint64_t files;
  uint64_t directories;
} objects_batch_counts;

/* Counts a key that was not deleted; status: why, or NULL, if objects_batch_note tells that. One thread. */
void objects_batch_left(const objects_batch *batch, const char *key, const TF_Status *status);

/* Keeps a failure, if it is the first. */
void objects_batch_note(const objects_batch *batch, const TF_Status *status);

#endif
