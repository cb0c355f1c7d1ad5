/* System calls of plugins: counted, and made to fail by a rule. */
#ifndef MODFS_SHIM_SYSTEM_CALLS_H
#define MODFS_SHIM_SYSTEM_CALLS_H

#include "shim.h"

void calls_arm(const shim_rule *rule_now);
void calls_arm_also(const shim_rule *rule_now);
size_t calls_fired(void);
size_t calls_count(unsigned kinds);
const char *calls_failed(void);
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

/* Notes a call that has succeeded: of a descriptor, or of a name in a directory. */
void calls_note(const char *name, int fd);
void calls_note_name(const char *name, int dir, const char *path);
void calls_notes(bool on);
bool calls_noted(size_t index, shim_event *event);

#endif
