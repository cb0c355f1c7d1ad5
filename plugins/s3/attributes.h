/* Attributes of objects: what lstat tells, and setting them. */
#ifndef S3_ATTRIBUTES_H
#define S3_ATTRIBUTES_H

#include "../common/slot/slot.h"
#include "stat.h"

/* Stores those of an object for the host, as much of them as it has room for. */
void s3_attributes_give(const s3_object *object, modfs_attributes *attributes);

/* There are no links, so that lstat and get_attributes are the same. */
EXTENSION_SLOT(lstat) s3_lstat;
EXTENSION_SLOT(set_attributes) s3_set_attributes;

/* Sets the known attributes of an object, which the server copies onto itself for that. */
bool s3_attributes_replace(const TF_Filesystem *filesystem, const s3_name *name,
                           const s3_attributes *attributes, TF_Status *status);

#endif
