/* Paths: the functions that are not public. */
#ifndef MODFS_CORE_PATH_H
#define MODFS_CORE_PATH_H

#include <modfs/modfs.h>

/* Whether a scheme is valid; "" is the scheme of plain paths. */
bool path_scheme_valid(const char *scheme, size_t length);

/* Whether a URI may begin so: a scheme begins with a letter. Most plain paths do not. */
static inline bool path_may_have_scheme(const char *path) {
  return (unsigned)((*path | 0x20) - 'a') < 26;
}

/* Whether a slash is needed between this directory and a name; also after "file://", where the
 * first two slashes precede an empty host. */
bool path_wants_slash(const char *directory, size_t length);

/* Whether modfs_path_clean would change nothing; false for "". */
bool path_is_clean(const char *path);

#endif
