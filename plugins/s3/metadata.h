/* Credentials of the machine itself, from the cloud's metadata service: only with option metadata, by a
 * session token (version 2), and cached until five minutes before they expire. */
#ifndef S3_METADATA_H
#define S3_METADATA_H

#include "credentials.h"

bool s3_metadata_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                      TF_Status *status);

#endif
