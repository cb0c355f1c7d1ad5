/* The functions of the JSON protocol, as plugins/common/objects wants them. */
#ifndef GS_SERVICE_H
#define GS_SERVICE_H

#include "../common/objects/service.h"

OBJECTS_SLOT(take_bucket) gs_take_bucket;
OBJECTS_SLOT(head) gs_head;
OBJECTS_SLOT(get) gs_get;
OBJECTS_SLOT(start_get) gs_start_get;
OBJECTS_SLOT(read_head) gs_read_head;
OBJECTS_SLOT(list) gs_list;
OBJECTS_SLOT(put) gs_put;
OBJECTS_SLOT(begin) gs_begin;
OBJECTS_SLOT(put_part) gs_put_part;
OBJECTS_SLOT(complete) gs_complete;
OBJECTS_SLOT(abort) gs_abort;
OBJECTS_SLOT(end) gs_end;
OBJECTS_SLOT(copy) gs_copy;
OBJECTS_SLOT(set_attributes) gs_set_attributes;
OBJECTS_SLOT(metadata) gs_metadata;
OBJECTS_SLOT(takes_metadata) gs_takes_metadata;
OBJECTS_SLOT(properties) gs_properties;
OBJECTS_SLOT(remove) gs_remove;
OBJECTS_SLOT(delete_many) gs_delete_many;
OBJECTS_SLOT(stored_hash) gs_stored_hash;
OBJECTS_SLOT(create_bucket) gs_create_bucket;
OBJECTS_SLOT(delete_bucket) gs_delete_bucket;

extern const objects_service gs_json;

#endif
