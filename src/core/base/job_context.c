#include "job_context.h"

_Thread_local job_context *job_context_of_thread;

job_context *job_context_enter(job_context *context) {
  job_context *former = job_context_of_thread;
  job_context_of_thread = context;
  return former;
}

bool job_context_ends(void) {
  const job_context *here = job_context_here();
  return here && atomic_load_explicit(&here->ends, memory_order_relaxed) != 0;
}
