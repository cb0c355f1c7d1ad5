/* URLs that are signed for others. */
#ifndef S3_PRESIGN_H
#define S3_PRESIGN_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(presign) s3_presign;

#endif
