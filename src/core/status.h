/* Statuses as the core writes them: one line, the operation and the path in front. */
#ifndef MODFS_CORE_STATUS_H
#define MODFS_CORE_STATUS_H

#include <modfs/modfs.h>

/* Makes status OK, as each call to a plugin finds it. */
void status_clear(TF_Status *status);

bool status_ok(const TF_Status *status);

/* Puts "operation path: " before the message of a failure, brings its code into range and its text
 * to one printable line. Does nothing when OK. path may be NULL. */
void status_locate(TF_Status *status, const char *operation, const char *path);

/* Puts another operation in the place of a located failure's. */
void status_rename(TF_Status *status, const char *operation);

/* RESOURCE_EXHAUSTED: out of memory. */
void status_no_memory(TF_Status *status);

#endif
