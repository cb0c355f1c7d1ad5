/* Turns the outcome of a request into a status: "objects.get of bucket/key: HTTP status 403, forbidden: ..." */
#ifndef GS_ERROR_H
#define GS_ERROR_H

#include "../common/net/net.h"
#include "../common/objects/error.h"

/* The server's description of a failure, from its JSON. A member is "" where the server sends none. */
typedef struct gs_error {
  char reason[64]; /* notFound */
  char message[256];
} gs_error;

/* Reads a page; what is no such description is left "". */
void gs_error_read(const char *bytes, size_t n, gs_error *error);

/* Reports a failed response: what the server said, or why the transfer failed. */
void gs_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const gs_error *error);

#endif
