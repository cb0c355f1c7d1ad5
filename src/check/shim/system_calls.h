/* System calls of plugins: counted, and made to fail by a rule. */
#ifndef MODFS_SHIM_SYSTEM_CALLS_H
#define MODFS_SHIM_SYSTEM_CALLS_H

#include "shim.h"

void calls_arm(const shim_rule *rule_now);
size_t calls_fired(void);
size_t calls_count(unsigned kinds);
size_t calls_loose(void);
size_t calls_synchronous(void);

/* The fate of the call of a function: it proceeds (perhaps with fewer bytes), or returns result. */
typedef struct call_fate {
  bool goes_on;
  long result;
} call_fate;
call_fate calls_meet(unsigned kind, const char *name, size_t *bytes);
/* Counts the flags of an open. */
void calls_opened(int flags);

#endif
