/* The attributes of an object, which s3fs and rclone keep in its metadata: mtime, atime, mode, uid, gid. */
#ifndef OBJECTS_ATTRIBUTE_VALUES_H
#define OBJECTS_ATTRIBUTE_VALUES_H

#include <modfs/extension.h>

#include "../net/net.h"
#include "headers.h"

enum { OBJECTS_ATTRIBUTES = 5, OBJECTS_ATTRIBUTE_SIZE = 64 };

/* Starts zeroed. A member counts if its bit is in known. */
typedef struct objects_attributes {
  uint64_t known; /* bits MODFS_ATTRIBUTE_ */
  uint64_t ended; /* bits of those to be removed, unless they are known */
  uint32_t mode;  /* permissions */
  uint64_t owner;
  uint64_t group;
  int64_t mtime_nsec;
  int64_t atime_nsec;
} objects_attributes;

/* Takes one item of an object's metadata: "mtime", "1500000000.5". An item with another name, that does not
 * hold what it should, or more than a file can have, is ignored. */
void objects_attributes_take(objects_attributes *attributes, const char *name, const char *value);

/* Whether it is the name of such an item. */
bool objects_attributes_has(const char *name);

/* Writes the known attribute number i, from 0 to OBJECTS_ATTRIBUTES - 1, as an item of metadata, and returns
 * its name; NULL: it is not known. The value "" means that it has ended, and such an item is to be removed. */
const char *objects_attributes_give(const objects_attributes *attributes, int i,
                                    char value[OBJECTS_ATTRIBUTE_SIZE]);

/* The same for metadata in headers, whose names begin with prefix: "x-amz-meta-". Writing replaces headers of
 * that name; false without memory or room. */
void objects_attributes_read(const net_answer *answer, const char *prefix,
                             objects_attributes *attributes);
bool objects_attributes_write(const objects_attributes *attributes, const char *prefix,
                              objects_headers *headers);

/* Takes the attributes of which from those that a host sets; false, with UNIMPLEMENTED, if one of them
 * cannot be kept. */
bool objects_attributes_from(const modfs_attributes *from, uint64_t which,
                             objects_attributes *attributes, TF_Status *status);

/* Adds the known attributes of more, which win, and those that have ended. */
void objects_attributes_merge(objects_attributes *attributes, const objects_attributes *more);

#endif
