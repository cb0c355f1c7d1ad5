/* Extended attributes: those of users, and access control lists. */
#ifndef POSIX_XATTRS_H
#define POSIX_XATTRS_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(get_xattrs) posix_get_xattrs;
EXTENSION_SLOT(set_xattrs) posix_set_xattrs;

#endif
