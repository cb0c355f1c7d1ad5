/* MD5, which servers use for ETags. */
#ifndef S3_HASH_H
#define S3_HASH_H

#include "../common/objects/object.h"

enum { S3_MD5_BASE64_SIZE = 25 };

/* The ETag of an object with these bytes. All return false where MD5 is not available. */
bool s3_hash_tag(const char *bytes, size_t n, char tag[OBJECTS_TAG_SIZE]);

/* The ETag of an object made of parts; also false where their ETags are not MD5s. tags: theirs, each with its
 * NUL. */
bool s3_hash_tag_of_parts(const char *tags, int count, char tag[OBJECTS_TAG_SIZE]);

/* In the form of the Content-MD5 header. */
bool s3_hash_md5(const char *bytes, size_t n, char text[S3_MD5_BASE64_SIZE]);

#endif
