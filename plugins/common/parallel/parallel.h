/* A parallel for. Its threads end with the call, so that a fork between calls loses none. */
#ifndef PARALLEL_H
#define PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* Calls work(state, i) for each i below count, on at most `most` threads, the caller's among them.
 * Once a call returns false, no further one starts; those that run are to end when the caller's is
 * (interrupt.h). Returns whether all returned true. */
bool parallel_for(uint64_t count, int most, bool (*work)(void *state, uint64_t i), void *state);

#endif
