/* What is written with an object besides its content. */
#ifndef GS_METADATA_H
#define GS_METADATA_H

#include "../common/objects/object.h"
#include "../common/objects/service.h"
#include "filesystem.h"

/* The resource of a new object, as text: its type, storage class and attributes. own: what it keeps of another
 * one; NULL: nothing. NULL without memory. Owns: the caller, free(). */
char *gs_metadata_new(const TF_Filesystem *filesystem, const objects_name *name,
                      const objects_attributes *attributes, const objects_own *own);

/* The metadata that an object has, or that replaces it, with its new attributes. NULL without memory. Owns: the
 * caller, free(). */
char *gs_metadata_change(const objects_change *change);

/* The version of the metadata, which changes while the content stays; "": unknown. */
void gs_metadata_version(const objects_own *own, char *version, size_t size);

#endif
