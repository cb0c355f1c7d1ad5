/* Bytes between pages that cannot be touched. */
#ifndef MODFS_JUDGE_GUARD_H
#define MODFS_JUDGE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

typedef struct judge_guard {
  char *bytes; /* n of them, up to the page behind; the rest of their first page is marked */
  size_t n;
  char *pages;
  size_t size;
} judge_guard;

/* Backed by no memory before it is touched; false when there are no such addresses. */
bool judge_guard_open(judge_guard *guard, size_t n);
/* Whether the bytes before the first are as they were. */
bool judge_guard_intact(const judge_guard *guard);
void judge_guard_close(judge_guard *guard);

#endif
