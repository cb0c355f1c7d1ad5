/* The regions in which buckets were found, for later requests. */
#ifndef S3_HOME_H
#define S3_HOME_H

#include <stdbool.h>

#include "name.h"

enum { S3_REGION_SIZE = 64 };

/* Only grows; starts zeroed. */
typedef struct s3_homes {
  _Atomic(struct s3_home *) newest;
} s3_homes;

/* The region of a bucket; NULL: unknown. Owns: the homes, until they are freed. */
const char *s3_homes_find(const s3_homes *homes, const char *bucket);
void s3_homes_add(s3_homes *homes, const char *bucket, const char *region);
void s3_homes_free(s3_homes *homes);

#endif
