/* The headers of a request for a range of an object. */
#ifndef OBJECTS_RANGE_H
#define OBJECTS_RANGE_H

#include "service.h"

typedef struct objects_range {
  char range[80];
  char match[OBJECTS_TAG_SIZE + 16];
  const char *headers[3]; /* Range and, where a tag is wanted, If-Match; ends in NULL */
} objects_range;

/* Fills it in; the pointers are to itself. */
void objects_range_write(const objects_get *get, objects_range *made);

#endif
