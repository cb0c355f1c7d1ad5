/* An upload in parts, as a service sees it.
 *
 * begin opens it, put_part and copy_part fill it, complete makes the object or abort discards it, and end
 * frees its state. Readers see nothing of it before complete succeeds. Upper code calls begin, complete, abort
 * and end on one thread, while no part is in flight, and never a second begin before an end. */
#ifndef OBJECTS_MULTIPART_H
#define OBJECTS_MULTIPART_H

#include "object.h"

struct objects_service;

/* The object that an upload starts with; its bytes are the first of the new one. Without a base the new object may
 * still keep what another one had, whose bytes are sent again. */
typedef struct objects_base {
  objects_name name;
  char tag[OBJECTS_TAG_SIZE]; /* that it must have; "": any */
  uint64_t length;            /* 0: there is no base */
  const objects_own *own;     /* what the new object keeps of it; NULL: nothing */
} objects_base;

typedef struct objects_multipart {
  const TF_Filesystem *filesystem;
  const struct objects_service *service;
  const objects_name *name;
  const objects_condition *condition;   /* of the object that is replaced */
  const objects_attributes *attributes; /* of the object, besides those of base->own; they win */
  const objects_base *base;
  void *state; /* the service's: set by begin, freed by end; NULL: no upload is open */
} objects_multipart;

/* Where a part belongs. */
typedef struct objects_place {
  int number;      /* from 1 on, in the order of the content */
  uint64_t offset; /* of its first byte in the object */
} objects_place;

/* What complete makes the object of, besides the base of a service without copy_part. */
typedef struct objects_completion {
  int count;            /* parts, all sent */
  const char *tags;     /* theirs, in order, each with its NUL */
  objects_content tail; /* bytes behind the last part; none where the granule is 1 */
  uint64_t length;      /* of the object */
} objects_completion;

#endif
