/* Guarded buffers: bytes between inaccessible pages. */
#ifndef MODFS_RUNNER_GUARD_H
#define MODFS_RUNNER_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct runner_guard {
  char *bytes; /* n of them, up to the page behind; the margin before them is marked */
  size_t n;
  char *pages;
  size_t size;
} runner_guard;

/* Reserves addresses; memory is used when it is touched. False when there are no such addresses. */
bool runner_guard_open(runner_guard *guard, size_t n);
/* Whether the margin before the bytes is unchanged. */
bool runner_guard_intact(const runner_guard *guard);
void runner_guard_close(runner_guard *guard);

#endif
