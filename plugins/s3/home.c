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

/* Without memory the next request is told again. */
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
