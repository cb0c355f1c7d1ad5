#include "job_context.h"

/* Each read of a file looks at it, so it must cost no more than a load: hence the model. */
static _Thread_local job_context *here __attribute__((tls_model("initial-exec")));

job_context *job_context_here(void) {
  return here;
}

job_context *job_context_enter(job_context *context) {
  job_context *former = here;
  here = context;
  return former;
}

bool job_context_ends(void) {
  return here && atomic_load_explicit(&here->ends, memory_order_relaxed) != 0;
}
