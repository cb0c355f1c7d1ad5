/* Whether what runs is to end before it is done: because the user of an interactive program wants
 * it, or because the job that the thread works for was cancelled or has exceeded its time.
 *
 * The user's wish belongs to the process, as a signal does. It is off in a program; possible while a
 * prompt runs something; and wanted from the user's signal until the prompt's side has noticed. It
 * does not concern threads that work for a job: the prompt cancels the job instead.
 *
 * Calls that take long look at it between two pieces of their work, on any thread, and fail with
 * CANCELLED while the end is wanted. They cut their work into pieces only while it is possible, so
 * that programs without jobs pay nothing. */
#ifndef MODFS_CORE_INTERRUPTION_H
#define MODFS_CORE_INTERRUPTION_H

#include <modfs/status.h>
#include <pthread.h>
#include <stdbool.h>

void interruption_allow(void);  /* possible, and not wanted any more */
void interruption_forbid(void); /* off */
void interruption_want(void);   /* no effect where it is off; for signal handlers, too */

bool interruption_is_possible(void); /* also while it is wanted */
bool interruption_is_wanted(void);

/* Sets the status to CANCELLED and returns true while the end is wanted. */
bool interruption_ends(TF_Status *status);

/* Waits for a condition; while the end is possible, 20 ms at most, so that the caller looks at it,
 * as no signal ends such a wait. The lock is held. */
void interruption_wait(pthread_cond_t *condition, pthread_mutex_t *lock);

#endif
