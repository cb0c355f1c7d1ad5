/* What a URL can be signed for, in all stores. */
#ifndef OBJECTS_PRESIGN_H
#define OBJECTS_PRESIGN_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stdint.h>

/* false with INVALID_ARGUMENT: the method is neither GET nor PUT, or the time is not 1 second to 7 days. */
bool objects_presign_check(const char *method, uint64_t seconds, TF_Status *status);

#endif
