/* Guarded buffers: bytes between inaccessible pages. */
#ifndef MODFS_JUDGE_GUARD_H
#define MODFS_JUDGE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct judge_guard {
  char *bytes; /* n of them, up to the page behind; the margin before them is marked */
  size_t n;
  char *pages;
  size_t size;
} judge_guard;

/* Reserves addresses; memory is used when it is touched. False when there are no such addresses. */
bool judge_guard_open(judge_guard *guard, size_t n);
/* Whether the margin before the bytes is unchanged. */
bool judge_guard_intact(const judge_guard *guard);
void judge_guard_close(judge_guard *guard);

#endif
