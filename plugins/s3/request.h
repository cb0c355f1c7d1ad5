/* A signed request, sent until an answer comes that is worth having.
 *
 * Retries are plugins/net's. On top of them a request is signed anew, once each, when the server's clock is
 * another than ours, and when it says that the bucket is in another region, inside the same domain. */
#ifndef S3_REQUEST_H
#define S3_REQUEST_H

#include "error.h"
#include "filesystem.h"
#include "name.h"

typedef struct s3_pair {
  const char *name;
  const char *value;
} s3_pair;

typedef struct s3_request {
  const char *operation; /* for messages: "GetObject" */
  const char *method;
  const s3_name *name;
  bool of_bucket;       /* to the bucket, or where it is "" to the server, not to a key */
  const s3_pair *query; /* not encoded, in any order; ends in a name that is NULL; NULL: none */
  const char *const *headers; /* "Name: value", all of them signed; ends in NULL; NULL: none */
  const net_source *source;   /* the body; NULL: none. PUT and POST have one */
  const char *payload;        /* its SHA-256 in hexadecimal, or S3_UNSIGNED; NULL: of no byte */
  net_sink sink;              /* for a success alone; begin and write may be NULL */
  bool repeatable;
  int64_t deadline; /* of net_now; 0: by the option total_timeout_ms */
} s3_request;

typedef struct s3_answer {
  net_answer head;
  s3_error error;
} s3_answer;

/* True for a success that came whole; else status says why, by s3_fail_answer. s3_answer_end is due in
 * both cases. A sink that stops the request sets the status itself, after it. */
bool s3_request_run(const TF_Filesystem *filesystem, const s3_request *request, s3_answer *answer,
                    TF_Status *status);
void s3_answer_end(s3_answer *answer);

/* A body as a whole, for answers that are small; it is stopped at most bytes. Starts with most set. */
typedef struct s3_document {
  size_t most;
  size_t length;
  char *bytes; /* free() */
} s3_document;

net_sink s3_document_sink(s3_document *document);

#endif
