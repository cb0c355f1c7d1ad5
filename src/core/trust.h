/* Who could have put a plugin file where it is. */
#ifndef MODFS_CORE_TRUST_H
#define MODFS_CORE_TRUST_H

#include <modfs/modfs.h>

/* Fails with PERMISSION_DENIED, naming the file or folder and the reason, unless path (canonical)
 * and each folder above it belong to root or to the user and can be written by nobody else; a
 * sticky folder is fine. The folder of this library and all below it are trusted as it is. */
void trust_check(const char *path, TF_Status *status);

#endif
