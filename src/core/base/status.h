/* Statuses in the core's form: one line that begins with operation and path. */
#ifndef MODFS_CORE_STATUS_H
#define MODFS_CORE_STATUS_H

#include <modfs/modfs.h>

static inline bool status_ok(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK;
}

/* Sets the status to OK, as every plugin call expects it. */
static inline void status_clear(TF_Status *status) {
  if (!status_ok(status)) TF_SetStatus(status, TF_OK, "");
}

/* Locates a failure: puts "operation path: " before its message, brings its code into range and its
 * text to one printable line. Does nothing when OK. path may be NULL. */
void status_locate(TF_Status *status, const char *operation, const char *path);

/* Replaces the operation of a located failure. */
void status_rename(TF_Status *status, const char *operation);

/* Whether a string of the host is one; sets the status to OK, or to INVALID_ARGUMENT "WHAT is NULL". */
bool status_takes(TF_Status *status, const char *what, const void *string);

/* RESOURCE_EXHAUSTED: out of memory. */
void status_no_memory(TF_Status *status);

#endif
