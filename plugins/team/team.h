/* Several threads at one job, for as long as one call: none is left behind for a fork to lose. */
#ifndef TEAM_TEAM_H
#define TEAM_TEAM_H

#include <stdbool.h>
#include <stdint.h>

/* Calls work(state, i) for each i below count, up to most of them at a time, the caller's thread among them.
 * Where one returns false no more are begun. Returns whether all were done. */
bool team_run(uint64_t count, int most, bool (*work)(void *state, uint64_t i), void *state);

#endif
