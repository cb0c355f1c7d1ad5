/* Two calls of a plugin, of which the first one is held in its middle while the second one runs. */
#ifndef MODFS_RUNNER_SCHEDULE_H
#define MODFS_RUNNER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

/* A call, which enters and leaves the plugin by runner_enter and runner_leave. */
typedef struct runner_task {
  void (*run)(void *context);
  void *context;
} runner_task;

/* Runs first on this thread; at the k-th point inside of it, runs second on another thread until it ends,
 * or waits for what first has; then first goes on. Both have ended when it returns. k = 0: second runs
 * after first. Returns whether first came to point k; if not, second has not run. Needs the shim if
 * k > 0. */
bool runner_schedule(size_t k, runner_task first, runner_task second);

#endif
