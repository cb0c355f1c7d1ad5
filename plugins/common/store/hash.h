/* Checksums that the server keeps. */
#ifndef STORE_HASH_H
#define STORE_HASH_H

#include "../slot/slot.h"

EXTENSION_SLOT(stored_hash) store_stored_hash;

#endif
