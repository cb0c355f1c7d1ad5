/* What a job and the threads that work for it tell each other: the job, when they are to end; they,
 * how far they are.
 *
 * A thread works in one context at a time, or in none. The engine enters a job's context before it
 * runs the job, and leaves it afterwards. What starts threads of its own that may outlive the job, a
 * tree or a codec's read-ahead, has a context for them, ends it when it is cancelled or closed, and
 * joins them before it is freed. A forked child has only the thread that forked, and so that one's
 * context. */
#ifndef MODFS_CORE_JOB_CONTEXT_H
#define MODFS_CORE_JOB_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct job_context {
  atomic_int ends; /* 0: the job goes on; else the TF_Code with which it ends */
  atomic_uint_fast64_t bytes, total_bytes, files, total_files; /* a total of 0 is not known */
  uint64_t kept; /* bytes of results; for the thread that runs the job, and the engine afterwards */
  bool told;     /* a tree tells how far the job is; for the thread that runs it */
  void *job;     /* the engine's, whose context it is; NULL: of threads that work for one */
} job_context;

/* For job_context_here alone. Each read of a file looks at it, so it must cost no more than a load:
 * hence the model. */
extern _Thread_local job_context *job_context_of_thread __attribute__((tls_model("initial-exec")));

/* The context of the running thread; NULL: it works for no job. */
static inline job_context *job_context_here(void) {
  return job_context_of_thread;
}

/* Makes a context, or none, that of the running thread, and returns the former one. */
job_context *job_context_enter(job_context *context);

/* Whether the running thread works for a job that is to end. */
bool job_context_ends(void);

#endif
