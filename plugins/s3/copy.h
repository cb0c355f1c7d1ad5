/* Copies and renames, done by the server. */
#ifndef S3_COPY_H
#define S3_COPY_H

#include "../common/slot/slot.h"
#include "headers.h"
#include "stat.h"

struct s3_upload;

/* Finds the object to copy; fails when it is not an object. */
bool s3_copy_find(const TF_Filesystem *filesystem, const s3_name *src, s3_object *object,
                  TF_Status *status);

/* Copies immediately. */
bool s3_copy(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
             TF_Status *status);

/* Sends the request of a copy with these headers, which name the source. */
bool s3_copy_run(const TF_Filesystem *filesystem, const s3_name *dst, const s3_headers *headers,
                 TF_Status *status);

/* Copies into the parts of an upload; NULL on failure. Owns: the caller, who publishes and frees it. */
struct s3_upload *s3_copy_stage(const TF_Filesystem *filesystem, const s3_name *src,
                                const s3_name *dst, const s3_object *object, TF_Status *status);

FS_SLOT(copy_file) s3_copy_file;
FS_SLOT(rename_file) s3_rename_file;

#endif
