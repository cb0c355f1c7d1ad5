/* Credentials that a program prints: credential_process of a profile. */
#ifndef S3_PROCESS_H
#define S3_PROCESS_H

#include "credentials.h"

/* Runs the shell command, unless what it printed last is still valid. */
bool s3_process_take(const TF_Filesystem *filesystem, const char *command,
                     s3_credentials *credentials, TF_Status *status);

#endif
