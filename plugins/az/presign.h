/* URLs with a signature of their own: a service SAS for one blob. */
#ifndef AZ_PRESIGN_H
#define AZ_PRESIGN_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(presign) az_presign;

#endif
