/* Creates and deletes buckets. */
#ifndef S3_BUCKET_H
#define S3_BUCKET_H

#include "filesystem.h"
#include "name.h"

void s3_bucket_create(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);
void s3_bucket_delete(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

#endif
