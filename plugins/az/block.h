/* Block blobs that are made of blocks: slots of a service. */
#ifndef AZ_BLOCK_H
#define AZ_BLOCK_H

#include "../common/objects/service.h"

enum { AZ_MOST_BLOCKS = 50000 };

OBJECTS_SLOT(begin) az_begin;
OBJECTS_SLOT(put_part) az_put_part;
OBJECTS_SLOT(complete) az_complete;
OBJECTS_SLOT(abort) az_abort;
OBJECTS_SLOT(end) az_end;

#endif
