/* The requests of multipart uploads: parts that a server keeps apart until they are completed. */
#ifndef S3_MULTIPART_H
#define S3_MULTIPART_H

#include "object.h"

enum { S3_MOST_PARTS = 10000, S3_LEAST_PART = 5 << 20 };

/* One upload. Starts zeroed but for the first two. */
typedef struct s3_multipart {
  const TF_Filesystem *filesystem;
  const s3_name *name;
  char *id; /* that the server gave it; NULL: there is none */
} s3_multipart;

/* All return false with a failure. own: the head of the object that it is a copy of, or NULL. */
bool s3_multipart_begin(s3_multipart *self, const net_answer *own, TF_Status *status);
bool s3_multipart_put(const s3_multipart *self, int number, const char *bytes, size_t n,
                      char tag[S3_TAG_SIZE], TF_Status *status);
bool s3_multipart_copy(const s3_multipart *self, int number, const s3_piece *piece,
                       char tag[S3_TAG_SIZE], TF_Status *status);

/* list: "<Part>...</Part>" for each, in order. tag: that of the object. The upload is gone afterwards. */
bool s3_multipart_complete(s3_multipart *self, const char *list, const s3_condition *condition,
                           char tag[S3_TAG_SIZE], TF_Status *status);

/* Tells the server to forget the upload, if there is one. */
void s3_multipart_abort(s3_multipart *self);

#endif
