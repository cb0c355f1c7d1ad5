/* Copies and renames, done by the server. */
#ifndef STORE_COPY_H
#define STORE_COPY_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"

struct store_upload;

/* Finds the object to copy; fails when it is not an object. */
bool store_copy_find(const TF_Filesystem *filesystem, const objects_name *src,
                     objects_object *object, TF_Status *status);

/* Copies immediately. */
bool store_copy(const TF_Filesystem *filesystem, const objects_name *src, const objects_name *dst,
                TF_Status *status);

/* Whether an object must be copied in parts. */
bool store_copy_is_large(const TF_Filesystem *filesystem, uint64_t length);

/* Copies into the parts of an upload; NULL on failure. Owns: the caller, who publishes and frees it. */
struct store_upload *store_copy_stage(const TF_Filesystem *filesystem, const objects_name *src,
                                      const objects_name *dst, const objects_object *object,
                                      TF_Status *status);

FS_SLOT(copy_file) store_copy_file;
FS_SLOT(rename_file) store_rename_file;

#endif
