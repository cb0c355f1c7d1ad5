/* The room of the filesystem that a path is on. */
#ifndef POSIX_SPACE_H
#define POSIX_SPACE_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(get_space) posix_get_space;

#endif
