/* Google's storage, which speaks S3: the library of s3 under another scheme, with options of its own. */
#include "../s3/filesystem.h"
#include "../s3/service.h"

const s3_service s3_served = {"gs", s3_init_google};
