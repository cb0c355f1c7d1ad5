/* Lists blobs, containers and blocks. */
#ifndef AZ_LIST_H
#define AZ_LIST_H

#include "../common/objects/service.h"

OBJECTS_SLOT(list) az_list;

#endif
