/* Containers: slots of a service. */
#ifndef AZ_CONTAINER_H
#define AZ_CONTAINER_H

#include "../common/objects/service.h"

OBJECTS_SLOT(create_bucket) az_create_container;
OBJECTS_SLOT(delete_bucket) az_delete_container;

#endif
