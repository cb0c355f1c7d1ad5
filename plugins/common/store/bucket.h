/* Creates and deletes buckets. */
#ifndef STORE_BUCKET_H
#define STORE_BUCKET_H

#include "../objects/filesystem.h"

void store_bucket_create(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status);
void store_bucket_delete(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status);

#endif
