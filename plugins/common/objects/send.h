/* Sends requests with the timeouts, retries and certificates of the options. */
#ifndef OBJECTS_SEND_H
#define OBJECTS_SEND_H

#include <modfs/filesystem.h>

#include "../net/stream.h"

/* A whole body, for small responses; receiving more than `most` bytes fails. Starts with most set. A server may
 * repeat secrets in it, so its memory is wiped. */
typedef struct objects_document {
  size_t most;
  size_t length;
  char *bytes; /* with a NUL behind them; NULL: nothing was received */
} objects_document;

/* Wipes and frees the body. */
void objects_document_end(objects_document *document);

net_sink objects_document_sink(objects_document *document);

/* Sends the request once, with the attempts of plugins/common/net. Its sink receives the body of a success
 * only; begin and write may be NULL. `page` receives that of a failure: the server's description, of the
 * last attempt. Owns: the caller, net_answer_end for the answer, objects_document_end for the page. */
void objects_send(const TF_Filesystem *filesystem, const net_request *request, net_answer *answer,
                  objects_document *page);

/* Sends the request once, and waits for nothing; NULL without memory. Owns: the caller, net_stream_close. */
net_stream *objects_start(const TF_Filesystem *filesystem, const net_request *request);

/* The settings of a request to the server, by the options. */
net_settings objects_settings(const TF_Filesystem *filesystem);

/* When a request that starts now must end, in the time of net_now. */
int64_t objects_deadline(const TF_Filesystem *filesystem);

/* Whether the response is complete and a success. */
bool objects_is_success(const net_answer *answer);

#endif
