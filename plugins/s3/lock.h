/* Locks on names, for what S3 cannot do in one step: looking and then deleting or making.
 *
 * They hold within a process. A forked child has locks of its own. */
#ifndef S3_LOCK_H
#define S3_LOCK_H

#include <pthread.h>
#include <stdatomic.h>

#include "name.h"

/* Starts zeroed. */
typedef struct s3_lock_place {
  _Atomic(struct s3_locks *) here;
} s3_lock_place;

/* NULL when memory is short. */
pthread_mutex_t *s3_lock_take(s3_lock_place *place, const s3_name *name);
void s3_lock_give(pthread_mutex_t *taken);

/* The one lock on what is no name. */
pthread_mutex_t *s3_lock_take_all(s3_lock_place *place);

void s3_lock_free(s3_lock_place *place);

#endif
