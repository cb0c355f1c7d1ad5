/* Asks a token server for an access token. */
#ifndef GS_GRANT_H
#define GS_GRANT_H

#include "account.h"
#include "filesystem.h"

/* A token, for its first seconds. token has OPTION_SECRET_SIZE bytes. */
typedef struct gs_granted {
  char *token;
  int64_t seconds;
} gs_granted;

/* For an account: with a signed assertion, or the user's refresh token. */
bool gs_grant(const TF_Filesystem *filesystem, const gs_account *account, gs_granted *granted,
              TF_Status *status);

/* For the machine, from its metadata server. */
bool gs_grant_machine(const TF_Filesystem *filesystem, gs_granted *granted, TF_Status *status);

#endif
