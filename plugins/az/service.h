/* Azure's protocol, as the filesystem of objects sees it. */
#ifndef AZ_SERVICE_H
#define AZ_SERVICE_H

#include "../common/objects/service.h"

extern const objects_service az_service;

#endif
