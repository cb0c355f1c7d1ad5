/* Fetches a byte range of a URL and checks that the response is that range. */
#ifndef HTTP_FETCH_H
#define HTTP_FETCH_H

#include "../common/blocks/reader.h"
#include "filesystem.h"

enum { HTTP_TAG_SIZE = 512 };

/* Identifies the content of a file: responses with different versions are never mixed. */
typedef struct http_version {
  char tag[HTTP_TAG_SIZE]; /* ETag; "" where the server sends none */
  char modified[64];       /* Last-Modified, likewise */
  uint64_t length;
} http_version;

typedef struct http_fetch {
  /* The request. */
  uint64_t offset;
  uint64_t n;
  const http_version *expected; /* NULL: any version */
  blocks_piece *piece;          /* receives the bytes; NULL: `bytes` does */
  size_t at;                    /* where in the piece they begin */
  int64_t deadline;             /* of net_now; 0: from option total_timeout_ms */
  bool head_only;               /* stop after the head, where the server supports no ranges */
  /* The result, which http_fetch_end frees; fewer bytes than n where the server sends fewer at once. */
  char *url; /* of the response, after redirects */
  http_version version;
  bool known; /* whether version.length is known */
  bool whole; /* bytes is the whole file: the server supports no ranges */
  char *bytes;
  size_t length;
  /* Within a request. */
  const char *lack; /* why the whole file is requested, for messages; NULL: a range is */
  size_t room;
  bool is_within; /* the range is taken from a whole file */
  uint64_t skip;  /* bytes of it that still precede the range */
  uint64_t most;  /* option whole_bytes */
  bool has_no_length;
  TF_Code code; /* why the sink stopped */
  const char *why;
} http_fetch;

/* Performs the fetch; false on failure. Owns: the caller, http_fetch_end, also after a failure. */
bool http_fetch_run(const TF_Filesystem *filesystem, const char *url, http_fetch *fetch,
                    TF_Status *status);
void http_fetch_end(http_fetch *fetch);

#endif
