/* Generation-checked handles: a plugin gets one instead of a pointer, as the argument of a
 * callback. A handle can be used once, so a plugin that calls twice, or too late, reaches nothing.
 */
#ifndef MODFS_CORE_TICKET_H
#define MODFS_CORE_TICKET_H

/* A handle for a thing; NULL when memory is short. */
void *checked_handle_new(void *thing);

/* Uses a handle up. Returns its thing, which the caller now owns, or NULL when the handle was used
 * before. Threads: any, at any time. */
void *checked_handle_use(void *ticket);

#endif
