/* Setting permissions, owners and times. */
#ifndef POSIX_ATTRIBUTES_H
#define POSIX_ATTRIBUTES_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(set_attributes) posix_set_attributes;

/* The attributes that a file is to have once it is closed. */
typedef struct posix_wanted {
  modfs_attributes attributes;
  uint64_t which;
} posix_wanted;

/* Whether those in which can be set: returns an error. Adding them cannot fail then. */
int posix_wanted_check(const modfs_attributes *attributes, uint64_t which);
void posix_wanted_add(posix_wanted *wanted, const modfs_attributes *attributes, uint64_t which);

/* Sets them, as far as they are in `among`; returns an error. */
int posix_wanted_set(const posix_wanted *wanted, int fd, uint64_t among);

enum {
  POSIX_OWNERS = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP,
  POSIX_TIMES = MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME,
  POSIX_ATTRIBUTES = MODFS_ATTRIBUTE_MODE | POSIX_OWNERS | POSIX_TIMES
};

#endif
