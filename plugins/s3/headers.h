/* The headers of a request, while they are gathered. */
#ifndef S3_HEADERS_H
#define S3_HEADERS_H

#include "filesystem.h"
#include "name.h"

enum { S3_MOST_GATHERED = 32 };

/* Starts zeroed. */
typedef struct s3_headers {
  char *lines[S3_MOST_GATHERED + 1]; /* ends in NULL */
  int count;
} s3_headers;

/* false when memory or room is short. */
__attribute__((format(printf, 2, 3))) bool s3_headers_add(s3_headers *headers, const char *format,
                                                          ...);

/* What the options say of new objects: storage class and encryption. */
bool s3_headers_add_options(s3_headers *headers, const TF_Filesystem *filesystem);

/* What an object brings along, from the head of an answer: its type, and what users wrote to it. */
bool s3_headers_add_own(s3_headers *headers, const net_answer *answer);

/* "x-amz-copy-source: /bucket/key" */
bool s3_headers_add_source(s3_headers *headers, const s3_name *name);

void s3_headers_end(s3_headers *headers);

#endif
