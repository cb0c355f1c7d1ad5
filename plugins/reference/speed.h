/* The speed of the machine that simulates the device, measured on the first call in a few
 * milliseconds. */
#ifndef REFERENCE_SPEED_H
#define REFERENCE_SPEED_H

#include <stdint.h>

/* Bytes per second that one thread copies; -1 without memory to measure it. */
int64_t reference_speed_bandwidth(void);

/* Gigaflops of one thread: additions and multiplications. */
double reference_speed_gflops(void);

#endif
