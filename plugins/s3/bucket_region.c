/* The regions of buckets, as servers have reported them.
 *
 * A list that only grows at its front; entries are constant. So find needs no lock, and add publishes an
 * entry by compare-and-swap. A newer entry hides an older one of the same bucket; two threads that learn
 * the same region add it twice, which does no harm. Who frees: s3_bucket_regions_free, when nobody reads any more,
 * so a returned region stays valid until then. Fork: a child continues with its copy. */
#include "bucket_region.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct s3_bucket_region {
  struct s3_bucket_region *older;
  char bucket[S3_MOST_BUCKET + 1];
  char region[S3_REGION_SIZE];
} s3_bucket_region;

const char *s3_bucket_regions_find(const s3_bucket_regions *regions, const char *bucket) {
  for (const s3_bucket_region *entry = atomic_load(&regions->newest); entry; entry = entry->older)
    if (strcmp(entry->bucket, bucket) == 0) return entry->region;
  return NULL;
}

/* Without memory nothing is added, and the next request is redirected again. */
void s3_bucket_regions_add(s3_bucket_regions *regions, const char *bucket, const char *region) {
  s3_bucket_region *entry = calloc(1, sizeof *entry);
  if (!entry) return;
  snprintf(entry->bucket, sizeof entry->bucket, "%s", bucket);
  snprintf(entry->region, sizeof entry->region, "%s", region);
  entry->older = atomic_load(&regions->newest);
  while (!atomic_compare_exchange_weak(&regions->newest, &entry->older, entry))
    ;
}

void s3_bucket_regions_free(s3_bucket_regions *regions) {
  s3_bucket_region *entry = atomic_load(&regions->newest);
  while (entry) {
    s3_bucket_region *older = entry->older;
    free(entry);
    entry = older;
  }
}
