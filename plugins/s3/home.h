/* The regions that buckets were found in, for whoever asks for them again. */
#ifndef S3_HOME_H
#define S3_HOME_H

#include <stdbool.h>

#include "name.h"

enum { S3_REGION_SIZE = 64 };

/* Grows only; starts zeroed. */
typedef struct s3_homes {
  _Atomic(struct s3_home *) newest;
} s3_homes;

/* NULL where nothing is known. Owns: the homes, until their end. */
const char *s3_homes_find(const s3_homes *homes, const char *bucket);
void s3_homes_add(s3_homes *homes, const char *bucket, const char *region);
void s3_homes_free(s3_homes *homes);

#endif
