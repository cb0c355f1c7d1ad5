/* Who signs: the options, else the environment (for s3), else the shared credentials file. */
#ifndef S3_CREDENTIALS_H
#define S3_CREDENTIALS_H

#include "filesystem.h"

enum { S3_SECRETS = 3 };

/* As they stand in a row of secrets. */
typedef struct s3_credentials {
  char key_id[OPTION_SECRET_SIZE];
  char secret[OPTION_SECRET_SIZE];
  char token[OPTION_SECRET_SIZE];
} s3_credentials;

/* Looks at the environment, once. */
bool s3_credentials_init(s3_filesystem *self, bool amazon, TF_Status *status);
void s3_credentials_fini(s3_filesystem *self);

/* Fills in credentials of one source, never a mix of two. s3_credentials_wipe is due also on failure. */
bool s3_credentials_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                         TF_Status *status);
void s3_credentials_wipe(s3_credentials *credentials);

#endif
