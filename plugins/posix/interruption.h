/* Whether the user wants what runs to end. */
#ifndef POSIX_INTERRUPTION_H
#define POSIX_INTERRUPTION_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(accept_interruption) posix_accept_interruption;

/* False in a host that does not say. */
bool posix_is_interrupted(void);

#endif
