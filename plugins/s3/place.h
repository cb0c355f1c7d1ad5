/* Where a file or a directory is to be made. */
#ifndef S3_PLACE_H
#define S3_PLACE_H

#include "filesystem.h"
#include "name.h"

/* Whether an object may be made there: no directory stands there, none of the names above is a file's and, with
 * if_none_match, no object is there. */
bool s3_place_may_write(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* The same where nothing but an object with if_none_match could be in the way. */
bool s3_place_may_write_fresh(const TF_Filesystem *filesystem, const s3_name *name,
                              TF_Status *status);

/* Whether there is no object; else ALREADY_EXISTS. */
bool s3_place_is_absent(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

/* Whether the directory above is there; else NOT_FOUND, or FAILED_PRECONDITION for a file in its place. */
bool s3_place_has_parent(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

#endif
