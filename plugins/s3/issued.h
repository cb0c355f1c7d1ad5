/* Credentials that something has issued for a time: a program, a service. */
#ifndef S3_ISSUED_H
#define S3_ISSUED_H

#include "credentials.h"

/* Copies the credentials that this source has issued; false when it must be asked (again). */
bool s3_issued_take(s3_filesystem *self, const char *source, s3_credentials *credentials);

/* Keeps them for the next requests until `end`, in seconds since 1970. */
void s3_issued_keep(s3_filesystem *self, const char *source, const s3_credentials *credentials,
                    int64_t end);

/* Reads them from a JSON object; "token" is the name of the session token in it. False: some are missing. */
bool s3_issued_read_json(const char *json, const char *token, s3_credentials *credentials);

/* When to replace credentials that expire then, "2013-05-24T00:00:00Z". */
int64_t s3_issued_end(const char *expiration);

#endif
