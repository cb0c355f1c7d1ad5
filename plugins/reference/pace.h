/* The clock, and simulated speed: MODFS_REFERENCE_LATENCY_NS and _BANDWIDTH. */
#ifndef REFERENCE_PACE_H
#define REFERENCE_PACE_H

#include <stdint.h>

/* Nanoseconds of a monotonic clock. */
uint64_t reference_pace_now(void);

/* The start time of an operation; 0 when no speed is simulated. */
uint64_t reference_pace_begin(void);

/* Waits until an operation of that many bytes, started then, may complete. */
void reference_pace_end(uint64_t begun, uint64_t bytes);

#endif
