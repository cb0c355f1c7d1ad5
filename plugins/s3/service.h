/* The one scheme that a library serves. s3.so and gs.so are the same objects but for this, so a host that
 * has one of the two schemes already still accepts the other. */
#ifndef S3_SERVICE_H
#define S3_SERVICE_H

#include "../common/store/plugin.h"

extern const store_scheme s3_served[]; /* one, and the end */

#endif
