/* Functions of a name. FS_SLOT declares slots in this way; these declare what stands between them. */
#ifndef STORE_CALL_H
#define STORE_CALL_H

#include "../objects/name.h"

/* Changes what has the name; status says whether that was done. */
typedef void store_change(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status);

/* Whether something is so; if not, status says why. */
typedef bool store_check(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status);

#endif
