/* Turns the outcome of a request into a status: "GetObject of bucket/key: HTTP status 403, AccessDenied:
 * ..." */
#ifndef S3_ERROR_H
#define S3_ERROR_H

#include "../common/net/net.h"
#include "../common/objects/error.h"

/* The server's description of a failure, from its XML. A member is "" where the server sends none. */
typedef struct s3_error {
  char code[64]; /* NoSuchKey */
  char message[256];
  char request_id[128];
  char region[64];
  char endpoint[256];
} s3_error;

/* Parses a document that has a Code; false when this is another one. A success may contain one, too. */
bool s3_error_parse(const char *bytes, size_t n, s3_error *error);

/* Reports a failed response: what the server said, or why the transfer failed. */
void s3_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const s3_error *error);

#endif
