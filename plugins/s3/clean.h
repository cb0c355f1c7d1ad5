/* Characters that XML cannot hold, taken out of answers: servers repeat keys with control characters in them,
 * "&#x07;" and the like, even where they encode those that they list. Each becomes a question mark. */
#ifndef S3_CLEAN_H
#define S3_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { S3_CLEAN_MOST = 12 };

/* What may be the beginning of one. Starts zeroed. */
typedef struct s3_clean {
  char held[S3_CLEAN_MOST];
  size_t length;
  bool altered; /* something was taken out */
} s3_clean;

/* Takes one byte; writes what can be passed on, and returns how much. */
size_t s3_clean_take(s3_clean *self, char c, char passed[S3_CLEAN_MOST]);

#endif
