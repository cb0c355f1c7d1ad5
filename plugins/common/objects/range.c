#include "range.h"

#include <inttypes.h>
#include <stdio.h>

void objects_range_write(const objects_get *get, objects_range *made) {
  snprintf(made->range, sizeof made->range, "Range: bytes=%" PRIu64 "-%" PRIu64, get->offset,
           get->offset + get->n - 1);
  if (get->match) snprintf(made->match, sizeof made->match, "If-Match: %s", get->match);
  made->headers[0] = made->range;
  made->headers[1] = get->match ? made->match : NULL;
  made->headers[2] = NULL;
}
