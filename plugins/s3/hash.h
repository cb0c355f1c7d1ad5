/* MD5, as servers make ETags of it. */
#ifndef S3_HASH_H
#define S3_HASH_H

#include "stat.h"

enum { S3_MD5_BASE64_SIZE = 25 };

/* The ETag of an object with these bytes. All return false where there is no MD5. */
bool s3_hash_tag(const char *bytes, size_t n, char tag[S3_TAG_SIZE]);

/* The ETag of an object made of parts; false, too, where theirs are no MD5s. list: "<ETag>..." for each. */
bool s3_hash_tag_of_parts(const char *list, char tag[S3_TAG_SIZE]);

/* As in the header Content-MD5. */
bool s3_hash_md5(const char *bytes, size_t n, char text[S3_MD5_BASE64_SIZE]);

#endif
