/* A range of an object, checked against what was asked for. */
#ifndef S3_FETCH_H
#define S3_FETCH_H

#include "../blocks/reader.h"
#include "filesystem.h"
#include "name.h"
#include "stat.h"

/* Which content a file has: two answers with different ones are never mixed. */
typedef struct s3_version {
  char tag[S3_TAG_SIZE];
  uint64_t length;
} s3_version;

typedef struct s3_fetch {
  /* Asked for. */
  const s3_name *name;
  uint64_t offset;
  uint64_t n;
  const s3_version *expected; /* NULL: whatever is there */
  blocks_piece *piece;        /* where it goes; NULL: into bytes */
  /* What came; shorter than n where the object ends. */
  s3_version version;
  char *bytes; /* free() */
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
