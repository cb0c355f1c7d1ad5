/* Changes attributes. */
#ifndef HDFS_ATTRIBUTES_H
#define HDFS_ATTRIBUTES_H

#include "../common/slot/slot.h"
#include "name.h"

EXTENSION_SLOT(set_attributes) hdfs_set_attributes;

/* Whether all that is in which can be set; UNIMPLEMENTED otherwise. */
bool hdfs_attributes_check(const modfs_attributes *attributes, uint64_t which, TF_Status *status);
bool hdfs_attributes_set(const TF_Filesystem *filesystem, const hdfs_name *name,
                         const modfs_attributes *attributes, uint64_t which, TF_Status *status);

#endif
