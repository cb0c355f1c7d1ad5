/* Generation-checked handles: a plugin gets one instead of a pointer, as the argument of a
 * callback. A handle can be used once, so a plugin that calls twice, or too late, reaches nothing.
 * They are made HANDLES at a time, for one thing. */
#ifndef MODFS_CORE_CHECKED_HANDLE_H
#define MODFS_CORE_CHECKED_HANDLE_H

#include <stdint.h>

enum { HANDLE_BITS = 5, HANDLES = 1 << HANDLE_BITS };

/* Makes handles for a thing; 0 when memory is short. */
uintptr_t checked_handles_new(void *thing);

/* The handle of that number, from 0 on; not NULL. */
static inline void *checked_handle(uintptr_t handles, unsigned number) {
  return (void *)(handles | number);
}

/* Uses a handle up. Returns the thing and the handle's number, or NULL when the handle was used
 * before, or its time is over. Threads: any, at any time. */
void *checked_handle_use(void *handle, unsigned *number);

/* Ends the handles, none of which the plugin has any more, unless it was used. Threads: any. */
void checked_handles_end(uintptr_t handles);

#endif
