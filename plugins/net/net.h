/* HTTP requests over curl, for the plugins that speak to servers. Knows curl and nothing else.
 *
 * TLS is always verified; no redirect is followed, no proxy, cookie or .netrc is used. Any thread may use
 * a client. Connections belong to the process that made them: a forked child begins with none. */
#ifndef NET_NET_H
#define NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum net_error {
  NET_OK,
  NET_UNREACHABLE, /* no such host, nobody listens */
  NET_TIMEOUT,
  NET_UNTRUSTED, /* TLS: the certificate is not good for this host */
  NET_BROKEN,    /* the connection broke before the answer was whole */
  NET_CUT,       /* the answer is shorter than it said, or does not say where it ends */
  NET_STOPPED,   /* the sink wanted no more, or the source ended before its length */
  NET_UNABLE,    /* a CA file cannot be read */
  NET_SHORT      /* memory is */
} net_error;

typedef struct net_settings {
  int64_t connect_ms;
  int64_t idle_ms; /* without one byte of an answer */
  int64_t retries; /* after the first attempt, for what is repeatable */
  const char *ca_file;
  const char *user_agent;
} net_settings;

/* The head of an answer. Starts zeroed; net_answer_end frees it. */
typedef struct net_answer {
  int status; /* of HTTP; 0: no whole head came */
  net_error error;
  char text[256]; /* what went wrong, for people */
  int attempts;
  int64_t retry_after; /* seconds; 0: not said */
  char *head;          /* the header lines, each with its end */
  size_t length;
} net_answer;

/* Where a body goes. Both return false to stop. begin comes again with each attempt. */
typedef struct net_sink {
  bool (*begin)(void *state, const net_answer *answer);
  bool (*write)(void *state, const char *bytes, size_t n);
  void *state;
} net_sink;

/* Where the body of a request comes from: from bytes or, when they are NULL, from read. Exactly length
 * bytes are sent, or the request fails. */
typedef struct net_source {
  uint64_t length;
  const char *bytes;
  size_t (*read)(void *state, char *buffer, size_t n); /* 0: it has no more, or cannot go on */
  bool (*rewind)(void *state);                         /* for another attempt; NULL: it cannot */
  void *state;
} net_source;

/* Goes back to the first byte; false when the source cannot. NULL is allowed. */
bool net_rewind(const net_source *source);

typedef struct net_request {
  const char *method;
  const char *url;            /* one that net_url_problem found good */
  const char *const *headers; /* "Name: value", ends in NULL */
  const net_source *source;   /* NULL: no body; PUT and POST have one, if only of length 0 */
  net_sink sink;
  bool repeatable;
  bool link_local;  /* it may go to 169.254.0.0/16 and the like, where clouds keep credentials */
  int64_t deadline; /* of net_now, for all attempts and the pauses between them */
} net_request;

typedef struct net_client net_client;

net_client *net_client_new(void);
void net_client_free(net_client *client);

/* Closes the connections that nobody uses. */
void net_client_rest(net_client *client);

/* Sends the request until an answer comes that is worth having; the answer says how it went. */
void net_perform(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer);

void net_answer_end(net_answer *answer);

/* Copies the value of a header into value, cut to size; false when there is none. */
bool net_answer_header(const net_answer *answer, const char *name, char *value, size_t size);

/* Content-Range: bytes first-last/total; false when there is none that makes sense. */
bool net_answer_range(const net_answer *answer, uint64_t *first, uint64_t *last, uint64_t *total);

/* Content-Length; false when there is none that makes sense. */
bool net_answer_length(const net_answer *answer, uint64_t *length);

/* Milliseconds that only grow. */
int64_t net_now(void);

/* The seconds since 1970 of a date in a header; 0 when it is none. */
int64_t net_time(const char *date);

/* What net_url_problem says when memory is short. */
#define NET_NO_MEMORY "out of memory"

/* Why this is no URL to send a request to; NULL when it is one. */
const char *net_url_problem(const char *url);

/* Where a redirect leads. Owns: free(); NULL when it makes no sense. */
char *net_url_resolve(const char *base, const char *location);

/* The URL for messages: nothing of its query, no control characters. */
void net_url_show(const char *url, char *text, size_t size);

#endif
