/* What became of a request, as a status: "GetObject of bucket/key: HTTP status 403, AccessDenied: ..." */
#ifndef S3_ERROR_H
#define S3_ERROR_H

#include "../net/net.h"
#include "name.h"

/* What a server says of a failure, in its XML. Each is "" where it says nothing. */
typedef struct s3_error {
  char code[64]; /* NoSuchKey */
  char message[256];
  char request_id[128];
  char region[64];
  char endpoint[256];
} s3_error;

/* Reads <Error>...</Error>; false when this is no such document. A success may carry one, too. */
bool s3_error_parse(const char *bytes, size_t n, s3_error *error);

/* Sets the code and "operation of bucket/key: " with the words that follow. */
__attribute__((format(printf, 5, 6))) void s3_fail(TF_Status *status, TF_Code code,
                                                   const char *operation, const s3_name *name,
                                                   const char *format, ...);

/* For an answer that is none: what the server said, or what the connection died of. */
void s3_fail_answer(TF_Status *status, const char *operation, const s3_name *name,
                    const net_answer *answer, const s3_error *error);

void s3_no_memory(TF_Status *status);

#endif
