/* The regions of buckets, as servers have reported them.
 *
 * A list that only grows at its front; entries are constant. So find needs no lock, and add publishes an
 * entry by compare-and-swap. A newer entry hides an older one of the same bucket; two threads that learn
 * the same region add it twice, which does no harm. Who frees: s3_homes_free, when nobody reads any more,
 * so a returned region stays valid until then. Fork: a child continues with its copy. */
#include "home.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct s3_home {
  struct s3_home *older;
  char bucket[S3_MOST_BUCKET + 1];
  char region[S3_REGION_SIZE];
} s3_home;

const char *s3_homes_find(const s3_homes *homes, const char *bucket) {
  for (const s3_home *home = atomic_load(&homes->newest); home; home = home->older)
    if (strcmp(home->bucket, bucket) == 0) return home->region;
  return NULL;
}

/* Without memory nothing is added, and the next request is redirected again. */
void s3_homes_add(s3_homes *homes, const char *bucket, const char *region) {
  s3_home *home = calloc(1, sizeof *home);
  if (!home) return;
  snprintf(home->bucket, sizeof home->bucket, "%s", bucket);
  snprintf(home->region, sizeof home->region, "%s", region);
  home->older = atomic_load(&homes->newest);
  while (!atomic_compare_exchange_weak(&homes->newest, &home->older, home))
    ;
}

void s3_homes_free(s3_homes *homes) {
  s3_home *home = atomic_load(&homes->newest);
  while (home) {
    s3_home *older = home->older;
    free(home);
    home = older;
  }
}
