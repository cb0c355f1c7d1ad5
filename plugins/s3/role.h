/* Credentials of a role, which AWS's Security Token Service issues. */
#ifndef S3_ROLE_H
#define S3_ROLE_H

#include "credentials.h"

enum { S3_SETTING_SIZE = 4096 };

typedef struct s3_role {
  char arn[S3_SETTING_SIZE];
  char session[S3_SETTING_SIZE]; /* its name; "": ours */
  char token_file
      [S3_SETTING_SIZE];        /* of a web identity; "": the role is assumed with a signature, */
  const s3_credentials *signer; /* by these credentials */
} s3_role;

/* Asks for the role's credentials, unless those that were issued last still hold. */
bool s3_role_take(const TF_Filesystem *filesystem, const s3_role *role, s3_credentials *credentials,
                  TF_Status *status);

#endif
