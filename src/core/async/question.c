/* Questions of jobs.
 *
 * A running job is silent, asks, was heard, or is answered, in this order, and then silent again. The
 * question belongs to the job until it is heard, and then to the host, which may read it for as long as
 * it likes, even if the job ends meanwhile. The engine's lock guards all of this.
 *
 * The callback that carries the number holds a reference to the job while it is queued. It may be taken
 * after the job has ended, and then finds no question; but a job that is to end asks nothing more, so
 * that it is never queued twice. In a forked child no job of the parent's has a question. */
#include "question.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/base/status.h"
#include "core/registry/registry.h"
#include "job.h"

static void asked_release(callback *asked) {
  job_drop((modfs_job *)((char *)asked - offsetof(modfs_job, asked)));
}

/* The lock is held, and released meanwhile for the arrival. */
static int wait_for_answer(modfs_job *job, void *question) {
  job->question = question;
  job->asking = JOB_ASKS;
  atomic_fetch_add_explicit(&job->references, 1, memory_order_relaxed);
  workers_unlock();
  callback_arrive(&job->asked);
  workers_lock();
  workers_await_answer(job);
  int answer = job->asking == JOB_ANSWERED ? job->answer : -1;
  free(job->question);
  job->question = NULL;
  job->asking = JOB_SILENT;
  return answer;
}

int job_ask(void *question, TF_Status *status) {
  modfs_job *job = job_context_here()->job;
  int answer = -1;
  bool ready =
      callback_init(&job->asked, job->arrival.queue, job->arrival.number, asked_release, status);
  workers_lock();
  bool ends = job->context.ends;
  if (ready && !ends) answer = wait_for_answer(job, question);
  workers_unlock();
  if (ends || !ready) free(question);
  if (ends && ready) callback_cancel(&job->asked);
  if (answer < 0 && ready) TF_SetStatus(status, TF_CANCELLED, "cancelled");
  return answer;
}

void *job_hear(modfs_job *job) {
  void *question = NULL;
  if (job->epoch != registry_epoch()) return NULL;
  workers_lock();
  if (job->asking == JOB_ASKS) {
    question = job->question;
    job->question = NULL;
    job->asking = JOB_HEARD;
  }
  workers_unlock();
  return question;
}

void job_answer(modfs_job *job, int answer) {
  if (job->epoch != registry_epoch()) return;
  workers_lock();
  if (job->asking == JOB_HEARD) {
    job->answer = answer;
    job->asking = JOB_ANSWERED;
    workers_answered();
  }
  workers_unlock();
}

/* Only an ordered job that has begun can ask, and there is one such job at a time. */
static strand_state state_of(const modfs_strand *strand) {
  const modfs_job *job = workers_unfinished();
  if (strand->ordered == 0) return STRAND_IDLE;
  while (job && (job->strand != strand || job->asking == JOB_SILENT))
    job = job->links[JOB_UNFINISHED].after;
  if (!job || job->context.ends || job->asking == JOB_ANSWERED) return STRAND_BUSY;
  return job->asking == JOB_ASKS ? STRAND_ASKS : STRAND_HEARD;
}

strand_state strand_wait(modfs_strand *strand) {
  if (strand->epoch != registry_epoch()) return STRAND_IDLE;
  workers_lock();
  strand_state state;
  while ((state = state_of(strand)) == STRAND_BUSY)
    workers_wait(INT64_MAX);
  workers_unlock();
  return state;
}
