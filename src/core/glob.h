/* What the core needs of patterns beyond the public functions. */
#ifndef MODFS_CORE_GLOB_H
#define MODFS_CORE_GLOB_H

#include <modfs/modfs.h>

/* Whether a pattern has any of * ? [ \ in its first length bytes. */
bool glob_has_magic(const char *pattern, size_t length);

#endif
