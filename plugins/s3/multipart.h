/* The requests of multipart uploads: the server keeps parts aside until they are completed. */
#ifndef S3_MULTIPART_H
#define S3_MULTIPART_H

#include "object.h"

enum { S3_MOST_PARTS = 10000, S3_LEAST_PART = 5 << 20 };

/* One upload. Starts zeroed but for the first four. */
typedef struct s3_multipart {
  const TF_Filesystem *filesystem;
  const s3_name *name;
  const s3_condition *condition;   /* of the completion */
  const s3_attributes *attributes; /* of the object */
  char *id;                        /* the server's UploadId; NULL: no upload is open */
} s3_multipart;

/* All return false on failure. own: the response head of the object that is copied, or NULL; the upload's
 * attributes win. */
bool s3_multipart_begin(s3_multipart *self, const net_answer *own, TF_Status *status);
bool s3_multipart_put(const s3_multipart *self, int number, const s3_content *content,
                      char tag[S3_TAG_SIZE], TF_Status *status);
bool s3_multipart_copy(const s3_multipart *self, int number, const s3_piece *piece,
                       char tag[S3_TAG_SIZE], TF_Status *status);

/* list: "<Part>...</Part>" for each part, in order. tag: receives the object's ETag. Success closes the
 * upload. */
bool s3_multipart_complete(s3_multipart *self, const char *list, char tag[S3_TAG_SIZE],
                           TF_Status *status);

/* Asks the server to discard the upload, if one is open. */
void s3_multipart_abort(s3_multipart *self);

#endif
