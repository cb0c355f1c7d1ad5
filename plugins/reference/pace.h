/* The clock, and work that takes its time: MODFS_REFERENCE_LATENCY_NS and _BANDWIDTH. */
#ifndef REFERENCE_PACE_H
#define REFERENCE_PACE_H

#include <stdint.h>

/* Nanoseconds of a clock that never goes back. */
uint64_t reference_pace_now(void);

/* When a piece of work begins; 0 when none is slowed down. */
uint64_t reference_pace_begin(void);

/* Returns when work of so many bytes, begun then, may be done. */
void reference_pace_end(uint64_t begun, uint64_t bytes);

#endif
