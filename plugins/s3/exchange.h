/* Requests whose successful response has its result in a document. */
#ifndef S3_EXCHANGE_H
#define S3_EXCHANGE_H

#include "request.h"

/* The text that a response must have, and where it is copied to. */
typedef struct s3_wanted {
  const char *path; /* below the root element, such as "/ETag" */
  char *text;
  size_t size; /* of text, with the NUL */
} s3_wanted;

/* Runs a request and copies the wanted text of the response. An error inside a success is a failure, and
 * is retried if it is temporary. Owns: the caller, s3_answer_end, also on failure. */
bool s3_exchange(const TF_Filesystem *filesystem, s3_request *request, const s3_wanted *wanted,
                 s3_answer *answer, TF_Status *status);

#endif
