/* The requests that make and delete single objects. */
#ifndef S3_OBJECT_H
#define S3_OBJECT_H

#include "headers.h"
#include "request.h"
#include "sign.h"
#include "stat.h"

/* What must be so for a write to happen. Zeroed: nothing. */
typedef struct s3_condition {
  bool if_absent;
  char match[S3_TAG_SIZE]; /* ETag of what is replaced; "": whatever it is */
} s3_condition;

/* Bytes of an object that the server copies. */
typedef struct s3_piece {
  const s3_name *name; /* NULL: none */
  const char *tag;     /* ETag that it must have; "": whatever it is */
  uint64_t first;
  uint64_t last;
} s3_piece;

/* Makes an object in one step. tag: of what is there now. */
bool s3_object_put(const TF_Filesystem *filesystem, const s3_name *name, const char *bytes,
                   size_t n, const s3_condition *condition, char tag[S3_TAG_SIZE],
                   TF_Status *status);

/* OK also where there was none: no server says. */
bool s3_object_delete(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* What the signature says of a body: its hash, unless the options leave it out. */
bool s3_object_payload(const TF_Filesystem *filesystem, const char *bytes, size_t n,
                       char payload[S3_HASH_SIZE]);

/* Adds the headers of a condition. */
bool s3_condition_add(const s3_condition *condition, s3_headers *headers);

/* For an answer 412 to a condition: another status than the request's. */
void s3_condition_fail(const s3_condition *condition, const char *operation, const s3_name *name,
                       TF_Status *status);

#endif
