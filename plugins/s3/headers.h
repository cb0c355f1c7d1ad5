/* The headers of a request while it is built. */
#ifndef S3_HEADERS_H
#define S3_HEADERS_H

#include "filesystem.h"
#include "name.h"

enum { S3_MOST_GATHERED = 256 };

/* Starts zeroed. */
typedef struct s3_headers {
  char *lines[S3_MOST_GATHERED + 1]; /* ends in NULL */
  int count;
} s3_headers;

/* Adds a header; false without memory or room. */
__attribute__((format(printf, 2, 3))) bool s3_headers_add(s3_headers *headers, const char *format,
                                                          ...);

/* Adds the options for new objects: storage class and encryption. */
bool s3_headers_add_options(s3_headers *headers, const TF_Filesystem *filesystem);

/* Adds an object's own headers from a response head: its content type and user metadata. */
bool s3_headers_add_own(s3_headers *headers, const net_answer *answer);

/* Adds the object's storage class and encryption, too. */
bool s3_headers_add_whole(s3_headers *headers, const net_answer *answer);

/* Removes the headers of that name. */
void s3_headers_drop(s3_headers *headers, const char *name);

/* "x-amz-copy-source: /bucket/key" */
bool s3_headers_add_source(s3_headers *headers, const s3_name *name);

void s3_headers_end(s3_headers *headers);

#endif
