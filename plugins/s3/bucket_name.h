/* The limit of bucket names. */
#ifndef S3_BUCKET_NAME_H
#define S3_BUCKET_NAME_H

enum { S3_MOST_BUCKET = 63 };

#endif
