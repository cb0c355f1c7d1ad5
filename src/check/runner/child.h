/* A child process of the conformance runner: its limits, its group, the time that it takes. */
#ifndef MODFS_RUNNER_CHILD_H
#define MODFS_RUNNER_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A limit of 0 is none. Memory and files are in bytes. */
typedef struct runner_child_plan {
  char *const *words;       /* the program and its arguments; ends with NULL */
  char *const *environment; /* NAME=value each; ends with NULL */
  const char *folder;       /* the working directory */
  const char *output, *errors;
  uint64_t cpu_seconds, memory, file_size, descriptors;
} runner_child_plan;

/* Starts it as the leader of a process group of its own. Returns its process id, or -1. */
long runner_child_start(const runner_child_plan *plan);

/* Whether it has ended; does not wait. Then what is left of its group is killed, the id is free, and
 * *status is the exit status, or 256 plus the signal. */
bool runner_child_ended(long child, int *status);

/* Waits until one of them has ended, some seconds at most. It may return early. */
enum { RUNNER_CHILDREN = 64 };
void runner_child_await(const long *children, size_t count, double seconds);

/* Kills it and its group. */
void runner_child_kill(long child);

/* Seconds of CPU time that it has used, and seconds that its threads have waited for a processor.
 * False: it has ended. */
bool runner_child_times(long child, double *running, double *waiting);

/* The number of processors that this process may use. */
int runner_processors(void);

#endif
