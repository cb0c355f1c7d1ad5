/* A piece of what a URL stands for, checked against what was asked for. */
#ifndef HTTP_FETCH_H
#define HTTP_FETCH_H

#include "../blocks/reader.h"
#include "filesystem.h"

enum { HTTP_TAG_SIZE = 512 };

/* Which content a file has: two answers with different ones are never mixed. */
typedef struct http_version {
  char tag[HTTP_TAG_SIZE]; /* ETag; "" where the server has none */
  char modified[64];       /* Last-Modified, likewise */
  uint64_t length;
} http_version;

typedef struct http_fetch {
  /* Asked for. */
  uint64_t offset;
  uint64_t n;
  const http_version *expected; /* NULL: whatever is there */
  blocks_piece *piece;          /* where it goes; NULL: into bytes */
  bool head_only;               /* a server without ranges need not send anything */
  /* What came; bytes is the caller's to free. */
  char *url; /* where it came from, behind redirects; the caller's, too */
  http_version version;
  bool known; /* the length of the whole is */
  bool whole; /* bytes is the whole file: the server has no ranges */
  char *bytes;
  size_t length;
  /* Within a request. */
  size_t room;
  uint64_t most; /* of whole_bytes */
  bool is_chunked;
  TF_Code code; /* why the sink stopped */
  const char *why;
} http_fetch;

/* Frees nothing of a failed fetch: http_fetch_end does, always. */
bool http_fetch_run(const TF_Filesystem *filesystem, const char *url, http_fetch *fetch,
                    TF_Status *status);
void http_fetch_end(http_fetch *fetch);

#endif
