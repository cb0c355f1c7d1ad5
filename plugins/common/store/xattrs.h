/* Extended attributes: what users keep in the metadata of objects. */
#ifndef STORE_XATTRS_H
#define STORE_XATTRS_H

#include <modfs/extension.h>

#include "../slot/slot.h"

EXTENSION_SLOT(get_xattrs) store_get_xattrs;
EXTENSION_SLOT(set_xattrs) store_set_xattrs;

/* For the extension of a plugin whose services keep metadata. */
#define STORE_XATTRS .get_xattrs = store_get_xattrs, .set_xattrs = store_set_xattrs

#endif
