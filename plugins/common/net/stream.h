/* The body of a response that its reader takes when it wants to, from a connection that stays open. */
#ifndef NET_STREAM_H
#define NET_STREAM_H

#include "net.h"

typedef struct net_stream net_stream;

/* Sends the request once, and waits for the head. With status 200 or 206 the body is to be read from the stream;
 * otherwise it goes to the request's sink, and `answer` holds the outcome, as after net_perform. The sink's
 * `begin` may stop either. The deadline counts for the whole stream. Owns: net_stream_close. */
net_stream *net_stream_open(net_client *client, const net_settings *settings,
                            const net_request *request, net_answer *answer);

/* Sends the request once, and waits for nothing: what comes stays in the socket until it is read. The request's
 * sink is not used. What waits for the stream later fails after most_ms. NULL without memory. Owns:
 * net_stream_close. */
net_stream *net_stream_start(net_client *client, const net_settings *settings,
                             const net_request *request, int64_t most_ms);

/* Goes on as far as that takes no waiting, until the head is here: connects, sends the request. Whether there is
 * nothing more to do so. */
bool net_stream_nudge(net_stream *self);

/* Waits for the head of a started stream; NULL where it has failed, or has another status than 200 and 206. */
const net_answer *net_stream_head(net_stream *self);

/* Reads n bytes. Fewer: the body has ended, or *error says what has failed, and net_stream_text in words. */
size_t net_stream_read(net_stream *self, char *buffer, size_t n, net_error *error);
const char *net_stream_text(const net_stream *self);

/* Opened before a fork: it is the parent's to read. */
bool net_stream_is_inherited(const net_stream *self);

/* NULL is allowed. In a forked child the connection is left as it is. */
void net_stream_close(net_stream *self);

#endif
