/* Requests of the JSON protocol. */
#ifndef GS_REQUEST_H
#define GS_REQUEST_H

#include "../common/json/json.h"
#include "../common/objects/send.h"
#include "../s3/request.h"
#include "error.h"
#include "filesystem.h"

typedef enum gs_place {
  GS_AT_KEY,     /* an object */
  GS_AT_OBJECTS, /* the objects of a bucket */
  GS_AT_UPLOAD,  /* where objects of a bucket are uploaded */
  GS_AT_BUCKET,
  GS_AT_BUCKETS,
  GS_AT_BATCH,
  GS_AT_PATH /* what `more` says */
} gs_place;

typedef struct gs_request {
  const char *operation; /* for messages: "objects.get" */
  const char *method;
  const objects_name *name;
  gs_place place;
  const char *more;           /* behind the place's path, encoded; NULL: nothing */
  const s3_pair *query;       /* not encoded; ends with a NULL name; NULL: none */
  const char *const *headers; /* "Name: value"; ends in NULL; NULL: none */
  const net_source *source;   /* the body; NULL: none. PUT, PATCH and POST need one */
  net_sink sink;              /* for a success only; begin and write may be NULL */
  bool once;                  /* as in net_request */
  bool cleans_up;             /* as in net_request */
  int64_t deadline;           /* of net_now; 0: from the option total_timeout_ms */
} gs_request;

typedef struct gs_answer {
  net_answer head;
  gs_error error;
} gs_answer;

/* Sends a request; false: it could not be made, and status says why. Owns: the caller, gs_answer_end, also on
 * failure. */
bool gs_request_send(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                     TF_Status *status);

/* The same, but true for a complete success only; if not, status says why, by gs_fail_answer. A caller whose
 * sink stopped the request sets the status itself, afterwards. */
bool gs_request_run(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                    TF_Status *status);
void gs_answer_end(gs_answer *answer);

/* Sends the request once, without its sink, and waits for nothing; NULL: status says why not, but for a lack of
 * memory. Owns: the caller, net_stream_close. */
net_stream *gs_request_start(const TF_Filesystem *filesystem, const gs_request *request,
                             TF_Status *status);

/* The same for a request whose success is a JSON object. *document: receives it; NULL on failure.
 * Owns: the caller, json_free. */
bool gs_request_document(const TF_Filesystem *filesystem, gs_request *request, gs_answer *answer,
                         json_value **document, TF_Status *status);

/* Why a request failed, as the caller sees it: replaces the status. */
void gs_fail(TF_Status *status, const gs_request *request, const gs_answer *answer);

#endif
