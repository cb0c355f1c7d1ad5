/* Signed URLs. */
#ifndef GS_PRESIGN_H
#define GS_PRESIGN_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(presign) gs_presign;

#endif
