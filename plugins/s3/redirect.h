/* Where a bucket is instead: another region, or another host of the same domain, and nowhere else. */
#ifndef S3_REDIRECT_H
#define S3_REDIRECT_H

#include "address.h"
#include "request.h"

/* Whether the answer says where to ask again. Then address leads there, and the region is remembered. */
bool s3_redirect(const TF_Filesystem *filesystem, const s3_request *request,
                 const s3_answer *answer, s3_address *address);

#endif
