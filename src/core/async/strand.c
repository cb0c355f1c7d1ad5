#include <stdlib.h>

#include "core/base/status.h"
#include "core/registry/registry.h"
#include "job.h"

/* The rules of strands are those of the engine, in workers.c. */

modfs_strand *modfs_strand_open(TF_Status *status) {
  modfs_strand *strand = calloc(1, sizeof *strand);
  status_clear(status);
  if (strand)
    strand->epoch = registry_epoch();
  else
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "not enough memory for a strand");
  return strand;
}

void modfs_strand_wait(modfs_strand *strand, bool ordered_only) {
  if (strand->epoch != registry_epoch()) return;
  workers_lock();
  while ((ordered_only ? strand->ordered : strand->all) > 0)
    workers_wait(INT64_MAX);
  workers_unlock();
}

/* The next of its jobs that may still be told to end. Ending one releases the lock, so that the
 * list is searched from its start each time. */
static modfs_job *next_to_end(const modfs_strand *strand) {
  modfs_job *job = workers_unfinished();
  while (job && (job->strand != strand || job->context.ends))
    job = job->links[JOB_UNFINISHED].after;
  return job;
}

void modfs_strand_close(modfs_strand *strand) {
  if (strand && strand->epoch == registry_epoch()) {
    workers_lock();
    for (modfs_job *job; (job = next_to_end(strand));)
      workers_end(job, TF_CANCELLED);
    while (strand->all > 0)
      workers_wait(INT64_MAX);
    workers_unlock();
  }
  free(strand);
}
