/* Symbolic links, by their paths and as entries of open directories. */
#ifndef POSIX_LINK_H
#define POSIX_LINK_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(create_link) posix_create_link;
EXTENSION_SLOT(read_link) posix_read_link;

#endif
