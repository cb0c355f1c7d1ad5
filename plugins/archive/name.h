/* Names of this plugin: SCHEME://ARCHIVE!/MEMBER, and SCHEME+BASE://ARCHIVE!/MEMBER. */
#ifndef ARCHIVE_NAME_H
#define ARCHIVE_NAME_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What a URI names. Starts zeroed. */
typedef struct archive_name {
  char *base;  /* the archive itself, as a path of its own filesystem */
  char *inner; /* the member: cleaned, without a slash at either end; "" is the root */
} archive_name;

/* False, with FAILED_PRECONDITION, for a URI that names no archive. Owns: archive_name_fini. */
bool archive_name_init(archive_name *self, const char *uri, TF_Status *status);
void archive_name_fini(archive_name *self);

/* The URI with its member cleaned; NULL without memory. Owns: free(). */
char *archive_name_clean(const char *uri);

/* Removes empty segments and ".", and resolves ".." no higher than the root; in place. */
void archive_inner_clean(char *inner);

#endif
