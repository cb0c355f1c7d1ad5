/* What the core needs of paths beyond the public functions. */
#ifndef MODFS_CORE_PATH_H
#define MODFS_CORE_PATH_H

#include <modfs/modfs.h>

/* Whether a URI can carry this scheme; "" is the scheme of plain paths. */
bool path_scheme_valid(const char *scheme, size_t length);

/* Whether a name behind this directory needs a slash first; those of "file://" begin its empty host. */
bool path_wants_slash(const char *directory, size_t length);

/* Whether modfs_path_clean would change nothing; false for "". */
bool path_is_clean(const char *path);

#endif
