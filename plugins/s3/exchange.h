/* Requests whose success says what became of it in a document. */
#ifndef S3_EXCHANGE_H
#define S3_EXCHANGE_H

#include "request.h"

/* Runs it and copies the text at path, "/CopyObjectResult/ETag", of the answer. An error inside a success is
 * an error, and tried again where it is for a moment. s3_answer_end is due in both cases. */
bool s3_exchange(const TF_Filesystem *filesystem, s3_request *request, const char *path, char *text,
                 size_t size, s3_answer *answer, TF_Status *status);

#endif
