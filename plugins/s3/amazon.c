#include "filesystem.h"
#include "service.h"

const s3_service s3_served = {"s3", s3_init};
