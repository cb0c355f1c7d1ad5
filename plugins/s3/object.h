/* What the requests that write objects share. */
#ifndef S3_OBJECT_H
#define S3_OBJECT_H

#include "../common/checksum/crc32c.h"
#include "headers.h"
#include "request.h"
#include "sign.h"

/* Whether the object has the expected ETag: then an earlier attempt wrote it, and its response was
 * lost. tag: receives it. */
bool s3_object_is_written(const TF_Filesystem *filesystem, const objects_name *name,
                          const char *expected, char tag[OBJECTS_TAG_SIZE]);

/* The hash of a body for the signature, or S3_UNSIGNED where the options say so. */
bool s3_object_payload(const TF_Filesystem *filesystem, const objects_content *content,
                       char payload[S3_HASH_SIZE]);

/* Whether uploads carry a checksum, which the server compares with what it received. */
bool s3_object_has_checksum(const TF_Filesystem *filesystem);

/* Adds the headers of a content's checksum. sum: receives it. */
bool s3_checksum_add(const objects_content *content, objects_headers *headers,
                     char sum[CHECKSUM_TEXT_SIZE]);

/* Adds the headers of a condition. */
bool s3_condition_add(const objects_condition *condition, objects_headers *headers);

#endif
