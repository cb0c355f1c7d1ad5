/* The ownership check: who could have placed or changed a plugin file. */
#ifndef MODFS_CORE_OWNERSHIP_H
#define MODFS_CORE_OWNERSHIP_H

#include <modfs/modfs.h>

/* Fails with PERMISSION_DENIED, naming the file or directory and the reason, unless path
 * (canonical) and each directory above it belong to root or to the user and are writable by nobody
 * else; a sticky directory is allowed. The directory of this library and all below it are not
 * checked. */
void ownership_check(const char *path, TF_Status *status);

#endif
