/* Fetches a byte range of an object and checks that the response is that range. */
#ifndef S3_FETCH_H
#define S3_FETCH_H

#include "../common/blocks/reader.h"
#include "filesystem.h"
#include "name.h"
#include "stat.h"

/* Identifies the content of an object: responses with different versions are never mixed. */
typedef struct s3_version {
  char tag[S3_TAG_SIZE];
  uint64_t length;
} s3_version;

typedef struct s3_fetch {
  /* The request. */
  const s3_name *name;
  uint64_t offset;
  uint64_t n;
  const s3_version *expected; /* NULL: any version */
  blocks_piece *piece;        /* receives the bytes; NULL: `bytes` does */
  s3_object *object;          /* receives what the response tells of it; NULL: nothing does */
  /* The result; shorter than n at the end of the object. */
  s3_version version;
  char *bytes; /* the caller frees it */
  size_t length;
  bool missing; /* on failure: there is no such object */
  /* Within a request. */
  size_t room;
  TF_Code code; /* why the sink stopped */
  const char *why;
} s3_fetch;

/* On failure bytes is NULL. */
bool s3_fetch_run(const TF_Filesystem *filesystem, s3_fetch *fetch, TF_Status *status);

#endif
