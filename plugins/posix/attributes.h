/* Setting permissions, owners and times. */
#ifndef POSIX_ATTRIBUTES_H
#define POSIX_ATTRIBUTES_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(set_attributes) posix_set_attributes;

#endif
