/* Google Cloud Storage by its S3 protocol: the objects of s3 under another scheme, with its own options. */
#include "../s3/filesystem.h"
#include "../s3/service.h"

const store_scheme s3_served[] = {{"gs", s3_init_google, s3_cleanup}, {.name = NULL}};
