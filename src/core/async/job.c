#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/spare.h"
#include "core/base/status.h"
#include "core/registry/registry.h"

#define STUCK INT64_C(100000000) /* nanoseconds */

/* With their statuses. */
static spare_list spare = SPARE_LIST(256);

static void job_free(modfs_job *job) {
  TF_Status *kept = job->status;
  if (TF_GetCode(kept) == TF_OK && spare_put(&spare, job)) return;
  TF_DeleteStatus(kept);
  free(job);
}

void job_drop(modfs_job *job) {
  if (atomic_fetch_sub_explicit(&job->references, 1, memory_order_acq_rel) > 1) return;
  if (job->release) job->release(job->argument);
  job_free(job);
}

static void arrival_release(callback *arrival) {
  modfs_job *job = (modfs_job *)arrival; /* the first member */
  workers_taken(job);
  job_drop(job);
}

static bool is_foreign(const modfs_job *job) {
  return job->epoch != registry_epoch();
}

/* Starting ------------------------------------------------------------------------ */

static int64_t deadline_of(double timeout) {
  const double most = 1e9; /* seconds; beyond, there is none */
  if (!(timeout > 0) || timeout > most) return 0;
  return job_clock() + (int64_t)(timeout * 1e9);
}

static modfs_job *job_allocate(void) {
  modfs_job *job = spare_take(&spare);
  TF_Status *kept = job ? job->status : TF_NewStatus();
  if (!job) job = malloc(sizeof *job);
  if (job && kept) {
    memset(job, 0, sizeof *job);
    job->status = kept;
    return job;
  }
  TF_DeleteStatus(kept);
  free(job);
  return NULL;
}

static modfs_job *job_new(const modfs_job_options *options, TF_Status *status) {
  modfs_job *job = job_allocate();
  if (!job) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "not enough memory for a job");
    return NULL;
  }
  job->context.job = job;
  job->operation = options->operation;
  job->path = options->path;
  job->strand = options->strand;
  job->shared = options->shared;
  job->exclusive = options->exclusive;
  job->reads = options->reads;
  job->timeout = options->timeout;
  job->deadline = deadline_of(options->timeout);
  job->epoch = registry_epoch();
  atomic_init(&job->references, 2);
  return job;
}

modfs_job *modfs_job_start(modfs_job_run *run, void (*release)(void *argument), void *argument,
                           const modfs_job_options *options, TF_Status *status) {
  static const modfs_job_options none = {0};
  if (!options) options = &none;
  status_clear(status);
  modfs_job *job = job_new(options, status);
  if (!job) return NULL;
  job->run = run;
  job->release = release;
  job->argument = argument;
  if (options->callbacks &&
      !callback_init(&job->arrival, options->callbacks, options->number, arrival_release, status)) {
    job_free(job);
    return NULL;
  }
  if (workers_add(job, status)) return job;
  callback_cancel(&job->arrival);
  job_free(job);
  return NULL;
}

/* Ending -------------------------------------------------------------------------- */

bool modfs_job_is_done(const modfs_job *job) {
  return is_foreign(job) || job->state == JOB_DONE;
}

static int64_t time_after(double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) return INT64_MAX;
  return job_clock() + (int64_t)(seconds * 1e9);
}

bool modfs_job_wait(modfs_job *job, double seconds) {
  if (modfs_job_is_done(job)) return true;
  int64_t until = time_after(seconds);
  workers_lock();
  bool in_time = true;
  while (in_time && job->state != JOB_DONE)
    in_time = workers_wait(until);
  workers_unlock();
  return job->state == JOB_DONE;
}

void modfs_job_cancel(modfs_job *job) {
  if (modfs_job_is_done(job)) return;
  workers_lock();
  workers_end(job, TF_CANCELLED);
  workers_unlock();
}

void modfs_job_result(const modfs_job *job, TF_Status *status) {
  if (is_foreign(job))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the job belongs to the process that started it");
  else if (job->state != JOB_DONE)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the job is not done");
  else
    TF_SetStatus(status, TF_GetCode(job->status), TF_Message(job->status));
}

void modfs_job_close(modfs_job *job) {
  if (job && !is_foreign(job)) job_drop(job);
}

void modfs_job_keeps(uint64_t bytes) {
  job_context *context = job_context_here();
  if (context) context->kept = bytes;
}

/* Progress ------------------------------------------------------------------------ */

static modfs_job_state state_of(const modfs_job *job) {
  if (modfs_job_is_done(job)) return MODFS_JOB_DONE;
  if (job->state != JOB_RUNNING) return MODFS_JOB_QUEUED;
  int64_t ended = job->ended;
  return ended && job_clock() - ended >= STUCK ? MODFS_JOB_STUCK : MODFS_JOB_RUNNING;
}

modfs_job_progress modfs_job_get_progress(const modfs_job *job) {
  const job_context *context = &job->context;
  return (modfs_job_progress){state_of(job), context->bytes, context->total_bytes, context->files,
                              context->total_files};
}

void modfs_job_report(uint64_t bytes, uint64_t total_bytes, uint64_t files, uint64_t total_files) {
  job_context *context = job_context_here();
  if (!context) return;
  context->bytes = bytes;
  context->files = files;
  if (total_bytes > 0) context->total_bytes = total_bytes;
  if (total_files > 0) context->total_files = total_files;
}
