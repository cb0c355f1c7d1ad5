#include "filesystem.h"
#include "service.h"

const store_scheme s3_served[] = {{"s3", s3_init, s3_cleanup}, {.name = NULL}};
