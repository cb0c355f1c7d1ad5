/* The hooks behind the file functions of TensorFlow's env.h. */
#ifndef MODFS_CORE_HOOKS_H
#define MODFS_CORE_HOOKS_H

#include <modfs/modfs.h>

/* Installs the table if the runtime is ours; FAILED_PRECONDITION when another core has done so. */
void hooks_install(TF_Status *status);

#endif
