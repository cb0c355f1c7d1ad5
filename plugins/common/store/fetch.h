/* Fetches a byte range of an object and checks that the response is that range. */
#ifndef STORE_FETCH_H
#define STORE_FETCH_H

#include "../blocks/reader.h"
#include "../objects/filesystem.h"

/* Identifies the content of an object: responses with different versions are never mixed. */
typedef struct store_version {
  char tag[OBJECTS_TAG_SIZE];
  uint64_t length;
} store_version;

typedef struct store_fetch {
  /* The request. */
  const objects_name *name;
  uint64_t offset;
  uint64_t n;
  const store_version *expected; /* NULL: any version */
  blocks_piece *piece;           /* receives the bytes; NULL: `bytes` does */
  objects_object *object;        /* receives what the response tells of it; NULL: nothing does */
  /* The result; shorter than n at the end of the object. */
  store_version version;
  char *bytes; /* the caller frees it */
  size_t length;
  bool missing; /* on failure: there is no such object */
  /* Within a request. */
  const objects_service *service;
  size_t room;
  TF_Code code; /* why the sink stopped */
  const char *why;
} store_fetch;

/* On failure bytes is NULL. */
bool store_fetch_run(const TF_Filesystem *filesystem, store_fetch *fetch, TF_Status *status);

#endif
