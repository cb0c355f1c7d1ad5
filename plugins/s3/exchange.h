/* Requests whose successful response has its result in a document. */
#ifndef S3_EXCHANGE_H
#define S3_EXCHANGE_H

#include "request.h"

/* Runs a request and copies the text at a path such as "/CopyObjectResult/ETag" of the response. An error
 * inside a success is a failure, and is retried if it is temporary. Owns: the caller, s3_answer_end, also
 * on failure. */
bool s3_exchange(const TF_Filesystem *filesystem, s3_request *request, const char *path, char *text,
                 size_t size, s3_answer *answer, TF_Status *status);

#endif
