/* The content type of new objects. */
#ifndef OBJECTS_CONTENT_TYPE_H
#define OBJECTS_CONTENT_TYPE_H

#include "name.h"

/* As option content_type says; "": the server's default. Owns: the filesystem. */
const char *objects_content_type(const TF_Filesystem *filesystem, const objects_name *name);

#endif
