/* Directories that had keys a moment ago: a file in them has no file above it. */
#ifndef S3_KNOWN_H
#define S3_KNOWN_H

#include "filesystem.h"
#include "name.h"

void s3_known_note(const TF_Filesystem *filesystem, const s3_name *name);
void s3_known_forget(const TF_Filesystem *filesystem, const s3_name *name);

/* True for two seconds at most. */
bool s3_known_has_keys(const TF_Filesystem *filesystem, const s3_name *name);

#endif
