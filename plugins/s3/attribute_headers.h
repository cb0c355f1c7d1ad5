/* The attributes of an object, which s3fs and rclone keep in its metadata. */
#ifndef S3_ATTRIBUTE_HEADERS_H
#define S3_ATTRIBUTE_HEADERS_H

#include "headers.h"

/* Starts zeroed. A member counts if its bit is in known. */
typedef struct s3_attributes {
  uint64_t known; /* bits MODFS_ATTRIBUTE_ */
  uint32_t mode;  /* permissions */
  uint64_t owner;
  uint64_t group;
  int64_t mtime_nsec;
  int64_t atime_nsec;
} s3_attributes;

/* Reads them from the head of a response. A header that does not hold what it should, or more than a file
 * can have, is ignored. */
void s3_attributes_read(const net_answer *answer, s3_attributes *attributes);

/* Adds a header for each known attribute, in the place of one that is there already; false without memory
 * or room. */
bool s3_attributes_write(const s3_attributes *attributes, s3_headers *headers);

/* Takes the attributes of which from those that a host sets; false, with UNIMPLEMENTED, if one of them
 * cannot be kept. */
bool s3_attributes_take(const modfs_attributes *from, uint64_t which, s3_attributes *attributes,
                        TF_Status *status);

/* Adds the known attributes of more, which win. */
void s3_attributes_merge(s3_attributes *attributes, const s3_attributes *more);

#endif
