/* The C API for hosts: jobs, which run calls on other threads, and the queue that tells when they, or
 * the callbacks of a device's stream, are done; without Lua.
 *
 * The rules of modfs.h apply here, too. A job runs a function of the host, which calls the other
 * functions of modfs, on a thread of a pool that the process starts when it is first needed; idle
 * threads end. While that function runs, calls of modfs that take long look now and then whether the
 * job is to end, and then fail with CANCELLED, as do those on threads that modfs has started for them:
 * within 100 ms, except in a system call that the kernel does not end, or in a plugin that does not
 * ask. What such a call leaves is what its failure leaves. Threads of the host's own do not
 * look; nor does a device's own synchronization.
 *
 *   modfs_callbacks *queue = modfs_callbacks_open(status);
 *   modfs_job_options options = {.callbacks = queue, .number = 1};
 *   modfs_job *job = modfs_job_start(read_it, free, argument, &options, status);
 *   ... poll(2) says that modfs_callbacks_descriptor(queue) is readable ...
 *   while (modfs_callbacks_take(queue, &number))
 *     ... the job with that number is done: modfs_job_result, then modfs_job_close ...
 *
 * Threads: a job from any number of threads at once, but modfs_job_close once; a callback queue and
 * a strand from one thread.
 *
 * Exit: exit(3) cancels all jobs, and waits a quarter of a second at most for those that run.
 *
 * Fork: the child has none of the threads, and starts its own when they are needed. The parent's jobs
 * are done in the child, with FAILED_PRECONDITION, and their arguments are not released there. A
 * callback queue of the parent is empty in the child, and gets a descriptor of its own when it is
 * first used there. */
#ifndef MODFS_ASYNC_H
#define MODFS_ASYNC_H

#include "modfs.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct modfs_callbacks modfs_callbacks; /* a queue of what is done, for one thread */
typedef struct modfs_job modfs_job;             /* a call that runs on another thread */
typedef struct modfs_strand modfs_strand;       /* the jobs that use one object */

/* Callbacks ------------------------------------------------------------------ */

/* Creates a callback queue for one thread. Release it with modfs_callbacks_close, which cancels the
 * jobs that were started with it and waits for those that run; callbacks of streams that arrive
 * after that are discarded.
 * Errors: RESOURCE_EXHAUSTED if there is no memory or no file descriptor. */
MODFS_API modfs_callbacks *modfs_callbacks_open(TF_Status *status);
MODFS_API void modfs_callbacks_close(modfs_callbacks *callbacks);

/* Removes the oldest number from the queue, stores it and returns true; returns false if the
 * queue is empty. Does not wait. */
MODFS_API bool modfs_callbacks_take(modfs_callbacks *callbacks, uint64_t *number);

/* Waits until the queue is not empty, at most the given number of seconds (negative: no limit).
 * Returns false if it is still empty. */
MODFS_API bool modfs_callbacks_wait(modfs_callbacks *callbacks, double seconds);

/* Returns a file descriptor for poll(2) that is readable while the queue is not empty. It
 * belongs to the queue: neither read nor close it. */
MODFS_API int modfs_callbacks_descriptor(modfs_callbacks *callbacks);

/* Jobs ----------------------------------------------------------------------- */

/* Runs on a thread of the pool, unless the job is cancelled before. The status is OK at first. */
typedef void modfs_job_run(void *argument, TF_Status *status);

typedef struct modfs_job_options {
  modfs_callbacks *callbacks; /* gets the number when the job is done; NULL: nobody is told */
  uint64_t number;
  modfs_strand *strand; /* NULL: none */
  bool shared;          /* runs beside the other jobs of its strand */
  bool exclusive;       /* runs when all jobs of its strand that were started before are done */
  bool reads;           /* changes nothing: once cancelled, it has no result, even if it succeeds */
  double timeout; /* in seconds; when they are over, it ends with DEADLINE_EXCEEDED; 0: none */
  const char *operation, *path; /* for messages; valid until the job is closed; may be NULL */
} modfs_job_options;

/* Starts a job. options may be NULL. release(argument), which may be NULL, is called once, on any
 * thread, when the job is done and closed; not if this function fails. Close the job with
 * modfs_job_close.
 * Errors: RESOURCE_EXHAUSTED if too many jobs wait (modfs_job_limit), or if there is no memory or
 *   no thread. */
MODFS_API modfs_job *modfs_job_start(modfs_job_run *run, void (*release)(void *argument),
                                     void *argument, const modfs_job_options *options,
                                     TF_Status *status);

/* Whether the job is done. */
MODFS_API bool modfs_job_is_done(const modfs_job *job);

/* Waits until the job is done, at most the given number of seconds (negative: no limit). Returns
 * whether it is done. */
MODFS_API bool modfs_job_wait(modfs_job *job, double seconds);

/* Makes a job end: one that has not begun never runs, and is done with CANCELLED; a running one fails
 * with CANCELLED at the next occasion. Does nothing to one that is done. */
MODFS_API void modfs_job_cancel(modfs_job *job);

/* Copies the status that a job has ended with.
 * Errors: those of the job; FAILED_PRECONDITION if it is not done, or belongs to the parent. */
MODFS_API void modfs_job_result(const modfs_job *job, TF_Status *status);

typedef enum modfs_job_state {
  MODFS_JOB_QUEUED,
  MODFS_JOB_RUNNING,
  MODFS_JOB_STUCK, /* was to end 100 ms ago or more, but the kernel has not returned yet */
  MODFS_JOB_DONE
} modfs_job_state;

typedef struct modfs_job_progress {
  modfs_job_state state;
  uint64_t bytes, total_bytes, files, total_files; /* a total of 0 is not known */
} modfs_job_progress;

MODFS_API modfs_job_progress modfs_job_get_progress(const modfs_job *job);

/* For the function that runs: says how far it is; totals of 0 leave the former ones. */
MODFS_API void modfs_job_report(uint64_t bytes, uint64_t total_bytes, uint64_t files,
                                uint64_t total_files);

/* For the function that runs: says how many bytes of results its argument keeps. While more than 256
 * MiB are kept by jobs that are done, and whose numbers the host has not taken, no job begins, unless
 * the host waits in modfs_job_wait. */
MODFS_API void modfs_job_keeps(uint64_t bytes);

/* Gives the job up: it goes on, and its result is discarded. Accepts NULL. */
MODFS_API void modfs_job_close(modfs_job *job);

/* Sets how many threads there are and how many jobs may wait at most; 0 leaves a number as it is.
 * Returns what is in force: 8 threads and 65536 jobs at first. */
MODFS_API size_t modfs_job_threads(size_t most);
MODFS_API size_t modfs_job_limit(size_t most);

/* Strands -------------------------------------------------------------------- */

/* Creates a strand: its jobs run one after another in the order in which they were started, except
 * that shared ones run beside each other and beside the others.
 * Errors: RESOURCE_EXHAUSTED if there is no memory. */
MODFS_API modfs_strand *modfs_strand_open(TF_Status *status);

/* Waits until the jobs of a strand are done; with ordered_only, except for the shared ones. */
MODFS_API void modfs_strand_wait(modfs_strand *strand, bool ordered_only);

/* Cancels the jobs of a strand, waits for those that run, and closes it. Accepts NULL. */
MODFS_API void modfs_strand_close(modfs_strand *strand);

#ifdef __cplusplus
}
#endif

#endif
