/* A request in the form in which it is sent: its URL and its headers, signed. */
#ifndef S3_ENVELOPE_H
#define S3_ENVELOPE_H

#include "address.h"
#include "request.h"

enum { S3_MOST_HEADERS = 48 };

typedef struct s3_envelope {
  char *url;
  char *headers[S3_MOST_HEADERS]; /* ends in NULL */
  int count;
} s3_envelope;

/* Signs for now, by the server's clock as far as it is known. s3_envelope_end is due also on failure. */
bool s3_envelope_make(const TF_Filesystem *filesystem, const s3_request *request,
                      const s3_address *address, s3_envelope *envelope, TF_Status *status);
void s3_envelope_end(s3_envelope *envelope);

#endif
