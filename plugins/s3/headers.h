/* Headers of objects. */
#ifndef S3_HEADERS_H
#define S3_HEADERS_H

#include "../common/objects/headers.h"
#include "../common/objects/object.h"
#include "filesystem.h"

#define S3_METADATA_PREFIX "x-amz-meta-"

/* All return false without memory or room. Adds the options for new objects: storage class and encryption. */
bool s3_headers_add_options(objects_headers *headers, const TF_Filesystem *filesystem);

/* Adds what a new object keeps of another one: its content type and user metadata. own: NULL for none; then the
 * content type is added, if option content_type wants one. */
bool s3_headers_add_own(objects_headers *headers, const TF_Filesystem *filesystem,
                        const objects_name *name, const objects_own *own);

/* Adds all that an object has, its storage class and encryption, too. */
bool s3_headers_add_whole(objects_headers *headers, const objects_own *own);

/* "x-amz-copy-source: /bucket/key" */
bool s3_headers_add_source(objects_headers *headers, const TF_Filesystem *filesystem,
                           const objects_name *name);

#endif
