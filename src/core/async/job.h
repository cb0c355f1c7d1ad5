/* What the files of the engine share; workers.c tells its rules. */
#ifndef MODFS_CORE_JOB_H
#define MODFS_CORE_JOB_H

#include <modfs/async.h>
#include <pthread.h>

#include "callbacks.h"
#include "core/base/job_context.h"

/* The lists that a job can be in at once. */
enum {
  JOB_LINE,       /* the queue, or what waits in its strand */
  JOB_UNFINISHED, /* all that are not done */
  JOB_DEADLINE,   /* those with a deadline, the soonest first */
  JOB_LISTS
};

typedef struct job_link {
  modfs_job *before, *after;
} job_link;

typedef struct job_list {
  modfs_job *first, *last;
} job_list;

enum job_state { JOB_HELD_BACK, JOB_QUEUED, JOB_RUNNING, JOB_DONE };

/* Of a question (question.c). */
enum job_asking { JOB_SILENT, JOB_ASKS, JOB_HEARD, JOB_ANSWERED };

struct modfs_job {
  callback arrival; /* in the owner's queue; queue NULL: nobody is told */
  job_context context;
  callback asked; /* there, too, while the job asks */
  void *question; /* guarded by the lock, as are the next two */
  enum job_asking asking;
  int answer;
  job_link links[JOB_LISTS];
  modfs_job_run *run;
  void (*release)(void *argument);
  void *argument;
  TF_Status *status;            /* written before the job is done, and constant afterwards */
  const char *operation, *path; /* for messages; may be NULL */
  modfs_strand *strand;
  bool shared, exclusive, reads;
  _Atomic(enum job_state) state; /* written under the lock */
  unsigned epoch;                /* of the process that started it */
  atomic_uint references;        /* one of the host, one of the engine until the arrival is taken */
  double timeout;
  int64_t deadline;          /* on the monotonic clock, in nanoseconds; 0: none */
  atomic_int_fast64_t ended; /* when it was first told to end; 0: not yet */
};

struct modfs_strand {
  job_list held_back;  /* ordered jobs whose turn has not come */
  bool busy;           /* an ordered job is queued or runs */
  size_t ordered, all; /* not done */
  unsigned epoch;
};

int64_t job_clock(void);

/* Takes over the job in the state JOB_HELD_BACK. False when too many wait, or no thread can be
 * started; the status says so. */
bool workers_add(modfs_job *job, TF_Status *status);

/* The lock of the engine; waiting for the end of any job requires it. */
void workers_lock(void);
void workers_unlock(void);
/* Until a time on the monotonic clock; INT64_MAX: without a limit. False: it is over. */
bool workers_wait(int64_t until);

/* Makes a job end with a code; a job that does not run yet is done at once. The lock is held. */
void workers_end(modfs_job *job, TF_Code code);

/* The host has taken the number of a job, so that what it keeps is the host's affair. */
void workers_taken(modfs_job *job);

/* The thread of a running job sleeps until its question is answered, or the job is to end; another
 * thread may take its place meanwhile. The lock is held. */
void workers_await_answer(modfs_job *job);
void workers_answered(void);

/* All jobs that are not done. The lock is held. */
modfs_job *workers_unfinished(void);

/* Releases one reference. */
void job_drop(modfs_job *job);

#endif
