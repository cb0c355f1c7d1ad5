/* Locks on names, for what stores cannot do in one step: check, then delete or create.
 *
 * They exclude threads of this process only. A forked child has locks of its own. */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "../objects/name.h"

/* Before the first lock, any number of times; false without memory. */
bool store_lock_init(void);

/* Locks a name. */
pthread_mutex_t *store_lock_take(const objects_name *name);

/* Locks what belongs to no name. */
pthread_mutex_t *store_lock_take_all(void);

void store_lock_give(pthread_mutex_t *taken);

#endif
