/* The status code for an errno. */
#ifndef MODFS_ERRNO_CODE_H
#define MODFS_ERRNO_CODE_H

#include <modfs/status.h>

/* TF_OK for 0, TF_UNKNOWN for a number that is not in the table. */
TF_Code modfs_errno_code(int error_code);

#endif
