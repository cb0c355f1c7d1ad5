/* Authorizes a request, sends it and repeats it where that is useful.
 *
 * plugins/common/net retries. In addition a request is authorized and sent again, once for each reason: the
 * server's clock differs from ours, or the server refuses a token that was issued earlier. */
#ifndef AZ_REQUEST_H
#define AZ_REQUEST_H

#include "../common/objects/send.h"
#include "error.h"
#include "place.h"
#include "shared_key.h"

/* The version of the protocol that is spoken. */
#define AZ_VERSION "2021-12-02"

typedef struct az_request {
  const char *operation; /* for messages: "GetBlob" */
  const char *method;
  const objects_name *name;
  bool of_container;          /* to the container or, where the name is a root, to the account */
  const az_pair *query;       /* names in lower case; ends with a NULL name; NULL: none */
  const char *const *headers; /* "Name: value"; ends in NULL; NULL: none */
  const objects_name *copied; /* a blob whose URL goes into x-ms-copy-source; NULL: none */
  const net_source *source;   /* the body; NULL: none. PUT and POST need one */
  net_sink sink;              /* for a success only; begin and write may be NULL */
  bool cleans_up;             /* as in net_request */
} az_request;

typedef struct az_answer {
  net_answer head;
  az_error error;
} az_answer;

/* The body of a request that has none. */
extern const net_source az_no_body;

/* True for a complete success; if not, status says why, by az_fail_answer. A caller whose sink stopped the
 * request sets the status itself, afterwards. Owns: the caller, az_answer_end, also on failure. */
bool az_request_run(const TF_Filesystem *filesystem, const az_request *request, az_answer *answer,
                    TF_Status *status);
void az_answer_end(az_answer *answer);

/* Sends the request once, without its sink, and waits for nothing; NULL: status says why not, but for a lack of
 * memory. Owns: the caller, net_stream_close. */
net_stream *az_request_start(const TF_Filesystem *filesystem, const az_request *request,
                             TF_Status *status);

/* The same for a response of which nothing is needed. */
bool az_request_do(const TF_Filesystem *filesystem, const az_request *request, TF_Status *status);

/* "name=value&name=value", encoded; NULL without memory. Owns: the caller, free(). */
char *az_query_make(const az_pair *query);

#endif
