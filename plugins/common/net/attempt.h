/* One attempt of a request, without retries: at once, or bit by bit. */
#ifndef NET_ATTEMPT_H
#define NET_ATTEMPT_H

#include <curl/curl.h>

#include "net.h"

void attempt_run(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer);

/* Its caller sets the first four, which live as long as it does, and may set the next; the rest starts zeroed. */
typedef struct attempt {
  const net_settings *settings;
  const net_request *request;
  net_answer *answer;
  net_client *client;
  bool (*has_room)(const void *state); /* of the sink, for a part of the body; NULL: always */
  CURL *handle;
  CURLM *multi;
  struct curl_slist *headers;
  bool is_begun;
  bool runs;
  bool is_paused; /* until it goes on */
  bool interrupted;
  bool whole_head;
  bool endless; /* the response has neither a length nor chunks */
  bool idle;
  bool refused;     /* the address is link-local */
  int socket_error; /* errno of the last socket */
  bool helpless;    /* GSSAPI has no credentials: the answer's reason is its words */
  uint64_t sent;    /* bytes taken from the source */
  bool dry;         /* the source ended before its length */
  int64_t begun_at;
  curl_off_t seen;
  int64_t seen_at;
  CURLcode code;
  char detail[CURL_ERROR_SIZE];
} attempt;

/* false: the answer will say why. Owns: attempt_end, either way. */
bool attempt_begin(attempt *self);

/* Goes on to the end, or until it is enough; false at the end. */
bool attempt_go_on(attempt *self, bool (*is_enough)(const void *state), const void *state);

/* Goes on as far as that takes no waiting. */
void attempt_nudge(attempt *self);

/* Concludes it: the answer holds the outcome. Where it was not at its end, its connection is closed. */
void attempt_end(attempt *self);

#endif
