/* Redirects to another region, or to another host of the same domain; all others are refused. */
#ifndef S3_REDIRECT_H
#define S3_REDIRECT_H

#include "address.h"
#include "request.h"

/* Whether the response redirects the request. If so, changes address and remembers a new region. */
bool s3_redirect(const TF_Filesystem *filesystem, const s3_request *request,
                 const s3_answer *answer, s3_address *address);

#endif
