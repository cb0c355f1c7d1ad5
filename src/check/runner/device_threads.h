/* Several threads on one device, each checking its own part of the work. */
#ifndef MODFS_RUNNER_DEVICE_THREADS_H
#define MODFS_RUNNER_DEVICE_THREADS_H

#include "call.h"
#include "device.h"

typedef struct runner_crowd {
  runner_device *device;
  int threads, rounds;
  atomic_long steps;   /* number of checks */
  atomic_int finished; /* threads that have performed their rounds, in scenes that wait for all */
  atomic_bool failed;
  char message[256]; /* the first failure */
  long long grown;   /* by how many bytes the heap has grown; 0 where nobody counts */
  pthread_mutex_t lock;
  SP_Stream stream; /* shared by all threads, in scenes that use them, as are the next three */
  SP_Event event;
  runner_call *calls;
  int next;
} runner_crowd;

/* Runs the scene of that name; false: there is none. */
bool runner_crowd_run(runner_crowd *crowd, const char *name);

#endif
