/* Where a request goes. */
#ifndef S3_ADDRESS_H
#define S3_ADDRESS_H

#include "filesystem.h"
#include "name.h"

typedef struct s3_address {
  char host[512]; /* as in the header Host */
  char path[S3_ENCODED_SIZE + 512];
  char region[64];
  bool secure; /* https */
} s3_address;

/* By the options. of_bucket: the key is left out. */
bool s3_address_make(const TF_Filesystem *filesystem, const s3_name *name, bool of_bucket,
                     s3_address *address, TF_Status *status);

#endif
