/* Locks on names, for what S3 cannot do in one step: check, then delete or create.
 *
 * They exclude threads of this process only. A forked child has locks of its own. */
#ifndef S3_LOCK_H
#define S3_LOCK_H

#include <pthread.h>
#include <stdatomic.h>

#include "name.h"

/* Starts zeroed. */
typedef struct s3_lock_place {
  _Atomic(struct s3_locks *) here;
} s3_lock_place;

/* Locks a name; NULL without memory, and then nothing is locked. */
pthread_mutex_t *s3_lock_take(s3_lock_place *place, const s3_name *name);
void s3_lock_give(pthread_mutex_t *taken);

/* The lock on everything that belongs to no name; NULL without memory. */
pthread_mutex_t *s3_lock_take_all(s3_lock_place *place);

void s3_lock_free(s3_lock_place *place);

#endif
