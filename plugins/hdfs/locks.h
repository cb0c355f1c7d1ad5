/* Locks on names: they make "check, then change" one operation among the threads of this process. */
#ifndef HDFS_LOCKS_H
#define HDFS_LOCKS_H

#include <pthread.h>
#include <stdbool.h>

#include "name.h"

bool hdfs_locks_init(void);
pthread_mutex_t *hdfs_locks_take(const hdfs_name *name);
void hdfs_locks_give(pthread_mutex_t *taken);

#endif
