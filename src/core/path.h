/* What the core needs of paths beyond the public functions. */
#ifndef MODFS_CORE_PATH_H
#define MODFS_CORE_PATH_H

#include <modfs/modfs.h>

/* Whether a URI can carry this scheme; "" is the scheme of plain paths. */
bool path_scheme_valid(const char *scheme, size_t length);

/* Whether modfs_path_clean would change nothing; false for "". */
bool path_is_clean(const char *path);

#endif
