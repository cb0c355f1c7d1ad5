/* The access token of requests. */
#ifndef GS_TOKEN_H
#define GS_TOKEN_H

#include "address.h"
#include "filesystem.h"

/* Reads the environment, once; false without memory. */
bool gs_token_init(gs_filesystem *self);
void gs_token_fini(gs_filesystem *self);

/* Copies the token for requests to a server, OPTION_SECRET_SIZE bytes; "": they are anonymous. Owns: the
 * caller wipes it, also after a failure. */
bool gs_token_take(const TF_Filesystem *filesystem, const gs_server *server, char *token,
                   TF_Status *status);

/* The server has refused the token: the next one is requested anew. False where that would be the same. */
bool gs_token_drop(const TF_Filesystem *filesystem);

#endif
