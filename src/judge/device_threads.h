/* Several threads at one device, each checking its own part of the work. */
#ifndef MODFS_JUDGE_DEVICE_THREADS_H
#define MODFS_JUDGE_DEVICE_THREADS_H

#include "call.h"
#include "device.h"

typedef struct judge_crowd {
  judge_device *device;
  int threads, rounds;
  atomic_long steps;   /* what was checked */
  atomic_int finished; /* threads that had their rounds, where they wait for each other */
  atomic_bool failed;
  char message[256]; /* the first failure */
  pthread_mutex_t lock;
  SP_Stream stream; /* those that are shared, where they are */
  SP_Event event;
  judge_call *calls;
  int next;
} judge_crowd;

/* Runs what has that name; false when nothing has. */
bool judge_crowd_run(judge_crowd *crowd, const char *name);

#endif
