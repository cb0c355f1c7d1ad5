/* The file functions of TensorFlow's env.h, answered by the registry. */
#ifndef MODFS_CORE_HOOKS_H
#define MODFS_CORE_HOOKS_H

#include <modfs/modfs.h>

/* Hands the table to the runtime, where it is ours; FAILED_PRECONDITION when another core has. */
void hooks_install(TF_Status *status);

#endif
