/* Failures: a code and one line. */
#ifndef FAIL_FAIL_H
#define FAIL_FAIL_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

/* Both return false, for callers that fail with it. */
__attribute__((format(printf, 3, 4))) bool fail_with(TF_Status *status, TF_Code code,
                                                     const char *format, ...);
bool fail_no_memory(TF_Status *status);

/* For who has found no credentials: UNAUTHENTICATED with the text, or RESOURCE_EXHAUSTED where the process has
 * no descriptor left, as no file with some could be read then. */
bool fail_without_credentials(TF_Status *status, const char *text);

/* Memory of zeroes; NULL with RESOURCE_EXHAUSTED. Owns: the caller, free(). */
void *fail_or_allocate(size_t size, TF_Status *status);

#endif
