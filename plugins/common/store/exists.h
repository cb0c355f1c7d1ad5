/* Checks many paths in parallel. */
#ifndef STORE_EXISTS_H
#define STORE_EXISTS_H

#include "../slot/slot.h"

FS_SLOT(paths_exist) store_paths_exist;

#endif
