/* The requests that create and delete single objects. */
#ifndef S3_OBJECT_H
#define S3_OBJECT_H

#include "headers.h"
#include "request.h"
#include "sign.h"
#include "stat.h"

/* The precondition of a write. Zeroed: none. */
typedef struct s3_condition {
  bool if_absent;
  char match[S3_TAG_SIZE]; /* ETag of the object that is replaced; "": any */
} s3_condition;

/* A range of an object, for the server to copy. */
typedef struct s3_piece {
  const s3_name *name; /* NULL: none */
  const char *tag;     /* ETag that it must have; "": any */
  uint64_t first;
  uint64_t last;
} s3_piece;

/* Bytes to write. */
typedef struct s3_content {
  const char *bytes;
  size_t length;
} s3_content;

/* An object to write with one request. */
typedef struct s3_new_object {
  const s3_name *name;
  s3_content content;
  s3_condition condition;
  s3_attributes attributes;
} s3_new_object;

/* tag: receives the ETag. */
bool s3_object_put(const TF_Filesystem *filesystem, const s3_new_object *object,
                   char tag[S3_TAG_SIZE], TF_Status *status);

/* Deletes an object. OK also if it does not exist: servers do not report that. */
bool s3_object_delete(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Whether the object has the expected ETag: then an earlier attempt wrote it, and its response was
 * lost. tag: receives it. */
bool s3_object_is_written(const TF_Filesystem *filesystem, const s3_name *name,
                          const char *expected, char tag[S3_TAG_SIZE]);

/* The hash of a body for the signature, or S3_UNSIGNED where the options say so. */
bool s3_object_payload(const TF_Filesystem *filesystem, const s3_content *content,
                       char payload[S3_HASH_SIZE]);

/* Adds the headers of a condition. */
bool s3_condition_add(const s3_condition *condition, s3_headers *headers);

/* Replaces the status of a request that failed with 412 by one about its condition. */
void s3_condition_fail(const s3_condition *condition, s3_action action, TF_Status *status);

#endif
