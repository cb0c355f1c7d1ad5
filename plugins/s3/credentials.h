/* Credentials for signing: from the options, else the environment (s3 only), else the shared credentials
 * file, else, with option metadata, the machine's. */
#ifndef S3_CREDENTIALS_H
#define S3_CREDENTIALS_H

#include "filesystem.h"

enum { S3_SECRETS = 3 };

/* Laid out like three consecutive secrets (options/secret.h). */
typedef struct s3_credentials {
  char key_id[OPTION_SECRET_SIZE];
  char secret[OPTION_SECRET_SIZE];
  char token[OPTION_SECRET_SIZE];
} s3_credentials;

/* Reads the environment, once. */
bool s3_credentials_init(s3_filesystem *self, bool amazon, TF_Status *status);
void s3_credentials_fini(s3_filesystem *self);

/* Fills in the credentials of one source. Owns: the caller, s3_credentials_wipe, also on failure. */
bool s3_credentials_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                         TF_Status *status);
void s3_credentials_wipe(s3_credentials *credentials);

#endif
