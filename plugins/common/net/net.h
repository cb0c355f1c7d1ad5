/* HTTP requests over curl, for the plugins that talk to servers. Depends on curl alone.
 *
 * TLS certificates are always verified. Redirects are not followed; proxies, cookies and .netrc are
 * not used. Any thread may use a client. Connections belong to the process that opened them: a
 * forked child starts with none. */
#ifndef NET_NET_H
#define NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum net_error {
  NET_OK,
  NET_UNREACHABLE, /* the host is unknown or refuses connections */
  NET_TIMEOUT,
  NET_UNTRUSTED, /* the TLS certificate is not valid for this host */
  NET_BROKEN,    /* the connection broke before the response was complete */
  NET_CUT,       /* the response is shorter than announced, has no known end, or is not HTTP/1 */
  NET_STOPPED,   /* the sink stopped, or the source ended before its length */
  NET_INTERRUPTED,
  NET_UNABLE, /* unreadable CA file, link-local address, malformed URL, or curl cannot start */
  NET_SHORT   /* out of memory or descriptors */
} net_error;

typedef struct net_settings {
  int64_t connect_ms;
  int64_t idle_ms; /* longest time without a byte in either direction */
  int64_t retries; /* after the first attempt, for repeatable requests */
  const char *ca_file;
  const char *user_agent;
} net_settings;

/* The head of a response. Starts zeroed; net_answer_end wipes and frees it. */
typedef struct net_answer {
  int status; /* of HTTP; 0: no complete head was received */
  net_error error;
  char text[256];   /* what went wrong, for people */
  char reason[160]; /* the status line's words; GSSAPI's, where it has no credentials */
  int attempts;
  int64_t retry_after; /* seconds; 0: the server names none */
  bool too_late;       /* to try again after so long, by the deadline */
  char *head;          /* the header lines, each with its end */
  size_t length;
  size_t room; /* the size of its memory */
} net_answer;

/* Receives a body. Both functions return false to stop. `begin` is called anew for each attempt. */
typedef struct net_sink {
  bool (*begin)(void *state, const net_answer *answer);
  bool (*write)(void *state, const char *bytes, size_t n);
  void *state;
  bool is_small; /* a body of at most a few hundred KiB is expected */
} net_sink;

/* The length of a body that ends where its source does: it is sent in chunks. */
#define NET_UNKNOWN_LENGTH UINT64_MAX

/* What a source of unknown length returns where it fails. */
#define NET_SOURCE_FAILED SIZE_MAX

/* Supplies the body of a request: `bytes` or, where that is NULL, `read`. Exactly `length` bytes are
 * sent, or the request fails. */
typedef struct net_source {
  uint64_t length;
  const char *bytes;
  size_t (*read)(void *state, char *buffer, size_t n); /* 0: the end, or a failure */
  bool (*rewind)(void *state);                         /* for another attempt; NULL: impossible */
  void *state;
} net_source;

/* Rewinds to the first byte; false when the source cannot. NULL is allowed. */
bool net_rewind(const net_source *source);

typedef struct net_request {
  const char *method;
  const char *url;            /* accepted by net_url_problem */
  const char *const *headers; /* "Name: value", ends in NULL */
  const net_source *source;   /* NULL: no body; PUT and POST need one, if only of length 0 */
  net_sink sink;
  bool repeatable;
  bool once; /* its caller repeats it, if need be */
  bool
      until_close; /* accepts a body that ends with its connection, which may come short unnoticed */
  bool negotiate;  /* authenticates by SPNEGO with the user's Kerberos ticket */
  bool cleans_up;  /* after an interruption: is sent all the same, and given NET_CLEAN_UP_MS */
  bool url_is_secret; /* is not kept with the connection */
  bool link_local;    /* allows 169.254.0.0/16 and the like, where clouds serve credentials */
  int64_t deadline;   /* of net_now, for all attempts and the pauses between them */
} net_request;

typedef struct net_client net_client;

net_client *net_client_new(void);
void net_client_free(net_client *client);

/* Requests fail with NET_INTERRUPTED when the function returns true. Call it before the first request.
 */
void net_client_accept_interruption(net_client *client, bool (*interrupted)(void));
bool net_client_is_interrupted(const net_client *client);

/* How long a request that cleans up may last for a caller who wants the end. */
enum { NET_CLEAN_UP_MS = 40 };

/* Waits until a time of net_now; false when it was interrupted. */
bool net_wait_until(const net_client *client, int64_t then);

/* Closes idle connections. */
void net_client_rest(net_client *client);

/* Sends the request and repeats it while that is allowed and useful; `answer` holds the outcome. */
void net_perform(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer);

void net_answer_end(net_answer *answer);

/* Writes what a failure tells of its attempts, to be put behind it; often nothing. */
enum { NET_TRIES_SIZE = 96 };
void net_answer_tries(const net_answer *answer, char text[static NET_TRIES_SIZE]);

/* Copies the value of a header into `value`, truncated to size; false when the header is absent. */
bool net_answer_header(const net_answer *answer, const char *name, char *value, size_t size);

/* "Content-Range: bytes first-last/total" */
typedef struct net_range {
  uint64_t first;
  uint64_t last;
  uint64_t total; /* 0: the server does not know it, "*" */
} net_range;

/* Parses it; false when it is absent or malformed. */
bool net_answer_range(const net_answer *answer, net_range *range);

/* Says why the range of a response is not the beginning of what n bytes were asked of; NULL when it is. */
const char *net_range_problem(const net_answer *answer, const net_range *range, uint64_t offset,
                              uint64_t n);

/* Parses Content-Length; false when it is absent or malformed. */
bool net_answer_length(const net_answer *answer, uint64_t *length);

/* Milliseconds of a monotonic clock. */
int64_t net_now(void);

/* Parses an HTTP date into seconds since 1970; 0 when it is malformed. */
int64_t net_time(const char *date);

/* The text that net_url_problem returns without memory. */
#define NET_NO_MEMORY "out of memory"

/* Says why no request can be sent to this URL; NULL when one can. */
const char *net_url_problem(const char *url);

/* Resolves the Location of a redirect; NULL when it is malformed. Owns: the caller, free(). */
char *net_url_resolve(const char *base, const char *location);

/* Formats a URL for messages: without its query and without control characters. */
void net_url_show(const char *url, char *text, size_t size);

#endif
