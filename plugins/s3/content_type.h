/* The content type of new objects. */
#ifndef S3_CONTENT_TYPE_H
#define S3_CONTENT_TYPE_H

#include "headers.h"

/* Adds the header, if option content_type wants one; false without memory or room. */
bool s3_content_type_add(s3_headers *headers, const TF_Filesystem *filesystem, const s3_name *name);

#endif
