/* HDFS has names of users and groups, the host numbers: this machine's databases translate. */
#ifndef HDFS_IDENTITY_H
#define HDFS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False where this machine does not know the name. */
bool hdfs_identity_user_id(const char *name, uint64_t *id);
bool hdfs_identity_group_id(const char *name, uint64_t *id);

/* False where this machine has no name for the number. */
bool hdfs_identity_user(uint64_t id, char *name, size_t size);
bool hdfs_identity_group(uint64_t id, char *name, size_t size);

#endif
