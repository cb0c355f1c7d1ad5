/* What s3 fills into the table of an object store's protocol (objects/service.h). */
#ifndef S3_PROTOCOL_H
#define S3_PROTOCOL_H

#include "../common/objects/service.h"

/* Operations, for messages. */
#define S3_HEAD "HeadObject"
#define S3_GET "GetObject"
#define S3_LIST "ListObjectsV2"
#define S3_DELETE "DeleteObject"

extern const objects_service s3_protocol;

OBJECTS_SLOT(take_bucket) s3_take_bucket;
OBJECTS_SLOT(head) s3_head;
OBJECTS_SLOT(get) s3_get;
OBJECTS_SLOT(start_get) s3_start_get;
OBJECTS_SLOT(read_head) s3_read_head;
OBJECTS_SLOT(list) s3_list;
OBJECTS_SLOT(put) s3_put;
OBJECTS_SLOT(begin) s3_multipart_begin;
OBJECTS_SLOT(put_part) s3_multipart_put;
OBJECTS_SLOT(copy_part) s3_multipart_copy;
OBJECTS_SLOT(complete) s3_multipart_complete;
OBJECTS_SLOT(abort) s3_multipart_abort;
OBJECTS_SLOT(end) s3_multipart_end;
OBJECTS_SLOT(copy) s3_copy;
OBJECTS_SLOT(set_attributes) s3_set_attributes;
OBJECTS_SLOT(metadata) s3_metadata;
OBJECTS_SLOT(takes_metadata) s3_takes_metadata;
OBJECTS_SLOT(remove) s3_remove;
OBJECTS_SLOT(delete_many) s3_delete_many;
OBJECTS_SLOT(batch_takes) s3_batch_takes;
OBJECTS_SLOT(stored_hash) s3_stored_hash;
OBJECTS_SLOT(create_bucket) s3_create_bucket;
OBJECTS_SLOT(delete_bucket) s3_delete_bucket;

#endif
