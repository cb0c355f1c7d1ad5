/* A signed request, ready to send: its URL and its headers. */
#ifndef S3_SIGNED_REQUEST_H
#define S3_SIGNED_REQUEST_H

#include "address.h"
#include "request.h"

enum { S3_MOST_HEADERS = 272, S3_TIME_SIZE = 20 };

typedef struct s3_signed_request {
  char *url;
  char *headers[S3_MOST_HEADERS]; /* ends in NULL */
  int count;
} s3_signed_request;

/* Signs with the current time, corrected by the known offset of the server's clock. Owns: the caller,
 * s3_signed_request_end, also on failure. */
bool s3_signed_request_make(const TF_Filesystem *filesystem, const s3_request *request,
                            const s3_address *address, s3_signed_request *ready, TF_Status *status);
/* "name=value&name=", encoded and sorted; NULL without memory. Owns: the caller, free(). */
char *s3_query_make(const s3_pair *query);

/* The time of a signature: now, by the server's clock as far as it is known. */
void s3_signing_time(const TF_Filesystem *filesystem, char text[S3_TIME_SIZE]);

void s3_signed_request_end(s3_signed_request *ready);

#endif
