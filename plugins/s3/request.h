/* Signs a request, sends it and repeats it where that is useful.
 *
 * plugins/common/net retries, so a request must be one that may be sent twice. In addition it is signed
 * again, once for each reason: the server's clock differs from ours, or the server redirects to another
 * region or host inside the same domain. */
#ifndef S3_REQUEST_H
#define S3_REQUEST_H

#include "../common/net/stream.h"
#include "error.h"
#include "filesystem.h"

typedef struct s3_pair {
  const char *name;
  const char *value;
} s3_pair;

typedef struct s3_request {
  const char *operation; /* for messages: "GetObject" */
  const char *method;
  const objects_name *name;
  bool of_bucket;             /* to the bucket or, if that is "", to the server; not to a key */
  const s3_pair *query;       /* not encoded, in any order; ends with a NULL name; NULL: none */
  const char *const *headers; /* "Name: value", all of them signed; ends in NULL; NULL: none */
  const net_source *source;   /* the body; NULL: none. PUT and POST need one */
  const char *payload;        /* its SHA-256 in hexadecimal, or S3_UNSIGNED; NULL: no body */
  net_sink sink;              /* for a success only; begin and write may be NULL */
  bool cleans_up;             /* as in net_request */
  int64_t deadline;           /* of net_now; 0: from the option total_timeout_ms */
} s3_request;

typedef struct s3_answer {
  net_answer head;
  s3_error error;
} s3_answer;

/* True for a complete success; if not, status says why, by s3_fail_answer. A caller whose sink stopped the
 * request sets the status itself, afterwards. Owns: the caller, s3_answer_end, also on failure. */
bool s3_request_run(const TF_Filesystem *filesystem, const s3_request *request, s3_answer *answer,
                    TF_Status *status);

/* Signs the request and sends it once, without its sink, and waits for nothing; NULL: status says why not, but for a
 * lack of memory. Owns: the caller, net_stream_close. */
net_stream *s3_request_start(const TF_Filesystem *filesystem, const s3_request *request,
                             TF_Status *status);
void s3_answer_end(s3_answer *answer);

#endif
