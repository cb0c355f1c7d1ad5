/* How fast the machine is, that this device is made of: measured at the first question, in a few
 * milliseconds. */
#ifndef REFERENCE_SPEED_H
#define REFERENCE_SPEED_H

#include <stdint.h>

/* Bytes that one thread copies in a second; -1 when memory is too short to tell. */
int64_t reference_speed_bandwidth(void);

/* Thousand million additions and multiplications of one thread in a second. */
double reference_speed_gflops(void);

#endif
