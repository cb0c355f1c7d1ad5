#include <ctype.h>
#include <string.h>

#include "bucket_name.h"
#include "protocol.h"

static bool is_plain(char c) {
  return islower((unsigned char)c) || isdigit((unsigned char)c);
}

static bool is_address(const char *bucket) {
  return bucket[strspn(bucket, "0123456789.")] == '\0';
}

/* Underscores are allowed for gs://, whose buckets may have them. */
static bool is_bucket(const char *bucket, size_t n, bool underscores) {
  if (n < 3 || !is_plain(bucket[0]) || !is_plain(bucket[n - 1])) return false;
  for (size_t i = 0; i < n; i++) {
    bool dotted = bucket[i] == '.' && bucket[i + 1] != '.';
    bool joined = bucket[i] == '-' || (underscores && bucket[i] == '_');
    if (!is_plain(bucket[i]) && !dotted && !joined) return false;
  }
  return !is_address(bucket);
}

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

bool s3_take_bucket(const char *scheme, const char **rest, objects_name *name, TF_Status *status) {
  size_t n = strcspn(*rest, "/");
  if (n > S3_MOST_BUCKET) return refuse("the bucket name is longer than 63 characters", status);
  memcpy(name->bucket, *rest, n);
  name->bucket[n] = '\0';
  name->is_root = n == 0;
  *rest += n + ((*rest)[n] == '/');
  if (n > 0 && !is_bucket(name->bucket, n, strcmp(scheme, "gs") == 0))
    return refuse(
        "not a bucket name: expected 3 to 63 of a-z, 0-9, - and ., with a letter or digit at "
        "both ends",
        status);
  return n > 0 || **rest == '\0' || refuse("the bucket name is missing", status);
}
