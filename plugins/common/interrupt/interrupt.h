/* Whether what runs is to end: the host says so for the thread that it called, and that thread
 * passes it on to those that work for it.
 *
 * The host's function is one for all schemes of a plugin, as it is the host's own. It is set before
 * the first call, and read by any thread. A thread that works for a call on another one follows a
 * flag, which belongs to that call; who joins the thread sets it, and it never becomes false again. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <pthread.h>
#include <stdatomic.h>

#include "../slot/slot.h"

EXTENSION_SLOT(accept_interruption) interrupt_accept;

/* False in a host that does not say. */
bool interrupt_is_wanted(void);

/* Makes the running thread, which the plugin has started, end when the flag is set. The flag lives
 * as long as the thread. */
void interrupt_follow(const atomic_bool *ends);

/* Joins a thread, and sets the flag that it follows once the caller's call is to end. */
void interrupt_join(pthread_t thread, atomic_bool *ends);

#endif
