/* Copies within the service: a slot. */
#ifndef AZ_COPY_H
#define AZ_COPY_H

#include "../common/objects/service.h"

OBJECTS_SLOT(copy) az_copy;

#endif
