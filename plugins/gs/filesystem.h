/* The state of gs: that of s3, whose protocol it speaks as well, and what Google's own needs. */
#ifndef GS_FILESYSTEM_H
#define GS_FILESYSTEM_H

#include "../s3/filesystem.h"
#include "options.h"

typedef struct gs_filesystem {
  s3_filesystem s3;  /* first */
  char *application; /* file that GOOGLE_APPLICATION_CREDENTIALS names; NULL: none */
  char *user;        /* file of the user's credentials; NULL: unknown */
  char *token;       /* the access token that was issued for a time (token.c), */
  uint64_t token_by; /* by the source with this hash, */
  int64_t token_end; /* until then, in seconds since 1970 */
  _Atomic(uint64_t) tells_no_version; /* hash of a server that does not tell generations (get.c) */
} gs_filesystem;

static inline gs_filesystem *gs_filesystem_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

#endif
