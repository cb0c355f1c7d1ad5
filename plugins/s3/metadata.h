/* Credentials of the machine itself, from the address where clouds give them: only where option metadata asks
 * for it, with a token (version 2), and kept until five minutes before they expire. */
#ifndef S3_METADATA_H
#define S3_METADATA_H

#include "credentials.h"

bool s3_metadata_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                      TF_Status *status);

#endif
