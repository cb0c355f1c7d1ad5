/* Tokens of Microsoft's identity platform, which a request carries in place of a signature. */
#ifndef AZ_TOKEN_H
#define AZ_TOKEN_H

#include "filesystem.h"

/* Who asks for a token: an application with a secret or with the token of a workload in a file, or, where
 * both are missing, the machine. */
typedef struct az_identity {
  const char *authority;
  const char *tenant;
  const char *client; /* "": the machine's only identity */
  const char *secret; /* NULL: none */
  const char *file;   /* "": none */
} az_identity;

/* Copies a token that is good for some minutes, or asks for one. Owns: the caller wipes it. */
bool az_token_take(const TF_Filesystem *filesystem, const az_identity *identity,
                   char token[OPTION_SECRET_SIZE], TF_Status *status);

/* Drops a token that a server refused; true if it is the one that is kept. */
bool az_token_drop(const TF_Filesystem *filesystem, const char *token);

#endif
