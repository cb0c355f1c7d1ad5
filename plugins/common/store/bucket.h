/* Creates and deletes buckets. */
#ifndef STORE_BUCKET_H
#define STORE_BUCKET_H

#include "../objects/filesystem.h"
#include "call.h"

store_change store_bucket_create;
store_change store_bucket_delete;

#endif
