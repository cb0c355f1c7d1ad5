/* Attributes of objects: what lstat tells, and setting them. */
#ifndef STORE_ATTRIBUTES_H
#define STORE_ATTRIBUTES_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"

/* Stores those of an object for the host, as much of them as it has room for. */
void store_attributes_give(const objects_object *object, modfs_attributes *attributes);

/* There are no links, so that lstat and get_attributes are the same. */
EXTENSION_SLOT(lstat) store_lstat;
EXTENSION_SLOT(set_attributes) store_set_attributes;

/* For a change of metadata, which stores make a new time of the last upload: adds the one before to the
 * attributes, unless they or the object's metadata hold a time. */
void store_attributes_keep_time(const objects_object *object, objects_attributes *attributes);

/* Sets the known attributes of an object; its time stays. */
bool store_attributes_replace(const TF_Filesystem *filesystem, const objects_name *name,
                              const objects_attributes *attributes, TF_Status *status);

#endif
