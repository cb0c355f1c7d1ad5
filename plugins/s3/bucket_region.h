/* The regions in which buckets were found, for later requests. */
#ifndef S3_BUCKET_REGION_H
#define S3_BUCKET_REGION_H

#include <stdbool.h>

#include "bucket_name.h"

enum { S3_REGION_SIZE = 64 };

/* Only grows; starts zeroed. */
typedef struct s3_bucket_regions {
  _Atomic(struct s3_bucket_region *) newest;
} s3_bucket_regions;

/* The region of a bucket; NULL: unknown. Owns: the list, until it is freed. */
const char *s3_bucket_regions_find(const s3_bucket_regions *regions, const char *bucket);
void s3_bucket_regions_add(s3_bucket_regions *regions, const char *bucket, const char *region);
void s3_bucket_regions_free(s3_bucket_regions *regions);

#endif
