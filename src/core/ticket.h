/* What a plugin gets instead of a pointer, for the argument of a callback: a ticket is good for one
 * use, so a plugin that calls twice, or long after, reaches nothing. */
#ifndef MODFS_CORE_TICKET_H
#define MODFS_CORE_TICKET_H

/* A ticket for a thing; NULL without memory. */
void *ticket_new(void *thing);

/* Uses a ticket up: its thing, which is the caller's from now on, or NULL for one that was used. Any
 * thread may, at any time. */
void *ticket_use(void *ticket);

#endif
